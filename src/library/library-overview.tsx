import ImportFile from '#islands/library/import-file'
import LibrarySelection from '#islands/library/library-selection'
import { ConsoleBody, endsAtMsOf } from '#src/operator/console-page'
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
import { CardPlace, rowCards, rowsPage } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import type { Markup } from '#src/ui/markup'
import { More } from '#src/ui/more'
import { SearchForm } from '#src/ui/search-form'
import { urls } from '#src/urls'
import { LibraryCard } from './library-card'
import type { CardItem } from './library-card-fields'
import { Editor, LibraryFrame, type LibraryTotals, libraryConsolePage } from './library-page'
import { LibraryWays } from './library-ways'
import { type Library, type LibraryFilter, type LibraryRow, readCardItems } from './queries'

type LibraryQuery = Omit<LibraryFilter, 'limit'>

function OverviewTab({ library, query }: Omit<OverviewProps, 'totals' | 'edit'>) {
  const isFiltered = Boolean(query.q || query.type || query.category || query.status)
  return (
    <>
      <div className="filters">
        <h2 className="title-md">
          Library{' '}
          <span className="meta" data-count="">
            {resultWords(library, 'item')}
          </span>
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
          <p className="lead">{isFiltered ? 'Nothing in the library matches' : 'No premium content yet'}</p>
          {!isFiltered && <LibraryWays />}
        </div>
      ) : (
        <div className="card-grid library-grid" data-list="">
          <CardPlace />
        </div>
      )}
      {!library.isEmpty && (
        <Island
          name="library-selection"
          when="press"
          presses="[data-pick]"
          of={LibrarySelection}
          props={{ filter: filterOf(query), total: library.count }}
        />
      )}
      {library.nextCursor && (
        <More href={urls.premiumContent({ ...query, cursor: library.nextCursor })}>Older items</More>
      )}
    </>
  )
}

const drawRows = rowCards<CardItem, LibraryQuery>(({ row, ...query }) => (
  <div className="library-row" data-pick-row="">
    <LibraryCard item={row} href={urls.premiumContent({ ...query, edit: row.id })} />
    <PickBox id={row.id} title={row.title} />
  </div>
))

type Shown = { totals: LibraryTotals; query: LibraryQuery; edit?: string }
type OverviewProps = Shown & {
  library: Omit<Library, 'items'> & { isEmpty: boolean }
}

const drawPage = rowsPage(({ endsAtMs, ...props }: OverviewProps & { endsAtMs: number | null }) => (
  <ConsoleBody page={libraryConsolePage()} endsAtMs={endsAtMs}>
    <LibraryFrame tab="overview" totals={props.totals}>
      <OverviewTab {...props} />
      <Editor edit={props.edit} />
    </LibraryFrame>
  </ConsoleBody>
))

/** Renders the whole page with the library's items. */
export async function drawLibrary(
  context: RequestContext,
  { library: { items, ...library }, ...props }: Shown & { library: Library<LibraryRow> },
): Promise<Markup> {
  const { db, assets } = context.services
  const { islandCodes } = assets.manifest
  const cards = await drawRows(islandCodes, props.query, items, (ids) => readCardItems(db, ids))
  const shown = {
    ...props,
    library: { ...library, isEmpty: items.length === 0 },
    endsAtMs: endsAtMsOf(context),
  }
  return drawPage(islandCodes, { props: shown, cards })
}

/** The filter without the cursor: it matches the items of all pages. */
function filterOf({ cursor, ...filter }: LibraryQuery) {
  return filter
}

/** One filter as a row of links, which work without a script and by keyboard. */
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
