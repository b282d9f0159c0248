import type { ReactNode } from 'react'
import ExcelImport from '#islands/import/excel-import'
import BulkUpload from '#islands/library/bulk-upload'
import ImportFile from '#islands/library/import-file'
import ItemEditor from '#islands/library/item-editor'
import LibrarySelection from '#islands/library/library-selection'
import SingleUpload from '#islands/library/single-upload'
import type { ImportDraft } from '#src/import/draft/schema'
import { ConsoleBody, type ConsolePage, endsAtMsOf } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { PickBox } from '#src/selection/pick-box'
import {
  categories,
  categoryLabel,
  itemTypes,
  resultWords,
  searchCharactersMax,
  statuses,
} from '#src/story/rules'
import { Stat } from '#src/ui/console/stat'
import { Tabs } from '#src/ui/console/tabs'
import { Field } from '#src/ui/field'
import { CardPlace, rowCards, rowsPage } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import type { Markup } from '#src/ui/markup'
import { NeedsScript } from '#src/ui/needs-script'
import { SearchForm } from '#src/ui/search-form'
import { urls } from '#src/urls'
import { LibraryCard } from './library-card'
import type { CardItem } from './library-card-fields'
import { LibraryWays } from './library-ways'
import { cardRow, type Library, type LibraryFilter, type LibraryRow } from './queries'

export const libraryTabs = ['overview', 'single', 'bulk', 'excel'] as const
export type LibraryTab = (typeof libraryTabs)[number]

const tabNames: Record<LibraryTab, string> = {
  overview: 'Content Overview',
  single: 'Single Upload',
  bulk: 'Bulk Upload',
  excel: 'Excel + MP3',
}

type LibraryTotals = {
  totalStories: number
  totalFlows: number
  totalAudioFiles: number
  totalSize: string
}
type LibraryQuery = Omit<LibraryFilter, 'limit'>

export const libraryConsolePage = {
  title: 'Premium Content',
  room: 'Premium Content',
  section: 'premium-content',
  entrance: 'premium-content',
} satisfies ConsolePage

/** The page /premium-content: four figures, and tabs with the library, its uploads and imports. */
export function LibraryFrame({
  tab,
  totals,
  children,
}: {
  tab: LibraryTab
  totals: LibraryTotals
  children: ReactNode
}) {
  return (
    <>
      <dl className="stats" data-figures="library">
        <Stat
          icon="i-lucide-sm-book-open"
          label="Premium Stories"
          value={totals.totalStories.toLocaleString('en')}
        />
        <Stat
          icon="i-lucide-sm-waves"
          label="Pleasure Flows"
          value={totals.totalFlows.toLocaleString('en')}
        />
        <Stat
          icon="i-lucide-sm-audio-lines"
          label="Audio Files"
          value={totals.totalAudioFiles.toLocaleString('en')}
        />
        <Stat icon="i-lucide-sm-file-audio" label="Storage Used" value={totals.totalSize} />
      </dl>
      <div className="section section-next">
        <Tabs
          label="Premium Content"
          tabs={libraryTabs.map((each) => ({
            label: tabNames[each],
            href: urls.premiumContent(each === 'overview' ? {} : { tab: each }),
            isCurrent: each === tab,
          }))}
        />
        {children}
      </div>
    </>
  )
}

function OverviewTab({ library, query }: Omit<OverviewProps, 'totals' | 'edit'>) {
  const isFiltered = Boolean(query.q || query.type || query.category || query.status)
  return (
    <>
      <div className="filters">
        <h2 className="title-md">
          Library <span className="meta">{resultWords(library, 'item')}</span>
        </h2>
        <div className="filters-end">
          <SearchForm
            action={urls.premiumContent()}
            label="Search the library"
            value={query.q}
            maxLength={searchCharactersMax}
            hidden={{ type: query.type, category: query.category, status: query.status }}
            clearHref={isFiltered ? urls.premiumContent() : undefined}
          />
          <Island name="import-file" when="press" of={ImportFile} props={{}} />
        </div>
      </div>
      <div className="stack-sm library-filters">
        <Choices name="type" label="Type" all="All types" values={itemTypes} query={query} />
        <Choices name="category" label="Category" all="All categories" values={categories} query={query} />
        <Choices name="status" label="Status" all="All but removed" values={statuses} query={query} />
      </div>
      {library.isEmpty ? (
        <div className="empty">
          <p className="lead">
            {isFiltered ? 'Nothing in the library is like this' : 'No premium content yet'}
          </p>
          {!isFiltered && <LibraryWays />}
        </div>
      ) : (
        <div className="card-grid library-grid" data-list="">
          <CardPlace />
        </div>
      )}
      {query.status !== 'removed' && !library.isEmpty && (
        <Island
          name="library-selection"
          when="press"
          presses="[data-pick]"
          of={LibrarySelection}
          props={{ filter: filterOf(query), total: library.count }}
        />
      )}
      {library.nextCursor && (
        <p className="more">
          <a className="btn btn-quiet" href={urls.premiumContent({ ...query, cursor: library.nextCursor })}>
            Older items
          </a>
        </p>
      )}
    </>
  )
}

const drawRows = rowCards<CardItem, LibraryQuery>(
  ({ row, ...query }) => (
    <div className="library-row" data-pick-row="">
      <LibraryCard item={row} href={urls.premiumContent({ ...query, edit: row.id })} />
      <PickBox id={row.id} title={row.title} />
    </div>
  ),
  cardRow.read,
)

type Shown = { totals: LibraryTotals; query: LibraryQuery; edit?: string }
type OverviewProps = Shown & {
  library: Omit<Library, 'items'> & { isEmpty: boolean }
}

const drawPage = rowsPage(({ endsAtMs, ...props }: OverviewProps & { endsAtMs: number | null }) => (
  <ConsoleBody page={libraryConsolePage} endsAtMs={endsAtMs}>
    <LibraryFrame tab="overview" totals={props.totals}>
      <OverviewTab {...props} />
      <Editor edit={props.edit} />
    </LibraryFrame>
  </ConsoleBody>
))

/** The whole page with the library's items. */
export function drawLibrary(
  context: RequestContext,
  { library: { items, ...library }, ...props }: Shown & { library: Library<LibraryRow> },
): Markup {
  const { islandCodes } = context.services.assets.manifest
  const cards = drawRows(
    islandCodes,
    props.query,
    items.map(({ id, card }) => ({ id, row: card })),
  )
  const shown = {
    ...props,
    library: { ...library, isEmpty: items.length === 0 },
    endsAtMs: endsAtMsOf(context),
  }
  return drawPage(islandCodes, { props: shown, cards })
}

/** All that match, not only those from a cursor on. */
function filterOf({ cursor, ...filter }: LibraryQuery) {
  return filter
}

/** One filter as a row of links: they work without a script, and the keyboard walks along them. */
function Choices({
  name,
  label,
  all,
  values,
  query,
}: {
  name: 'type' | 'category' | 'status'
  label: string
  all: string
  values: readonly string[]
  query: LibraryQuery
}) {
  const { cursor, ...others } = query
  const hrefOf = (value: string | undefined) => urls.premiumContent({ ...others, [name]: value })
  return (
    <nav className="chips" aria-label={label} data-keep="">
      <a className="chip" href={hrefOf(undefined)} aria-current={!query[name] || undefined}>
        {all}
      </a>
      {values.map((value) => (
        <a
          key={value}
          className="chip"
          href={hrefOf(value)}
          aria-current={query[name] === value || undefined}
        >
          {categoryLabel(value)}
        </a>
      ))}
    </nav>
  )
}

/** The editor, which opens over any tab. `edit` opens it at once. */
export function Editor({ edit }: { edit?: string }) {
  const when = edit === undefined ? 'press' : 'load'
  return (
    <Island
      name="item-editor"
      when={when}
      presses="[data-edit]"
      of={ItemEditor}
      props={{ edit: edit ?? null }}
    />
  )
}

export function SingleTab() {
  return (
    <NeedsScript what="Single Upload">
      <Island name="single-upload" of={SingleUpload} props={{}} />
    </NeedsScript>
  )
}

export function BulkTab() {
  return <Island name="bulk-upload" of={BulkUpload} props={{}} />
}

/** `draft` is the operator's open import. Without a script the form sends everything at once. */
export function ExcelTab({ draft, batches }: { draft: ImportDraft | null; batches: ReactNode }) {
  return (
    <>
      <div className="needs-script">
        <Island name="excel-import" of={ExcelImport} props={{ draft }} />
      </div>
      <noscript>
        <form
          className="panel stack"
          action={urls.apiExcelImport()}
          method="post"
          encType="multipart/form-data"
        >
          <p>
            Without JavaScript everything is sent and imported at once; the answer is a list of what was done.
          </p>
          <Field label="Excel or CSV file" type="file" name="excel" required />
          <Field label="MP3 files" type="file" name="mp3s" multiple />
          <button className="btn btn-primary" type="submit">
            Upload
          </button>
        </form>
      </noscript>
      <div data-figures="imports">{batches}</div>
    </>
  )
}
