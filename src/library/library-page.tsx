import type { ReactNode } from 'react'
import ExcelImport from '#islands/import/excel-import'
import BulkUpload from '#islands/library/bulk-upload'
import ItemEditor from '#islands/library/item-editor'
import SingleUpload from '#islands/library/single-upload'
import { consoleUrls } from '#src/console-urls'
import type { ImportDraft } from '#src/import/draft/schema'
import type { ConsolePage } from '#src/operator/console-page'
import { Stat } from '#src/ui/console/stat'
import { Tabs } from '#src/ui/console/tabs'
import { Field } from '#src/ui/field'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { Island } from '#src/ui/island'
import { NeedsScript } from '#src/ui/needs-script'
import { urls } from '#src/urls'

export const libraryTabs = ['overview', 'single', 'bulk', 'excel'] as const
export type LibraryTab = (typeof libraryTabs)[number]

const tabNames: Record<LibraryTab, string> = {
  overview: 'Content Overview',
  single: 'Single Upload',
  bulk: 'Bulk Upload',
  excel: 'Excel + MP3',
}

export type LibraryTotals = {
  totalStories: number
  totalFlows: number
  totalAudioFiles: number
  totalSize: string
}

export function libraryConsolePage(tab: LibraryTab = 'overview'): ConsolePage {
  return {
    title: 'Premium Content',
    tab: tabNames[tab],
    room: 'Premium Content',
    section: 'premium-content',
    entrance: 'premium-content',
  }
}

/** Frame of the page /premium-content: four figures, and tabs with the library, its uploads and imports. */
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

/** The editor, which opens over any tab; at once if `edit` is set. */
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

/**
 * The Excel tab. `draft` is the operator's open import. Without a script, the form sends everything at once; `problem`
 * says why it was refused.
 */
export function ExcelTab({
  draft,
  batches,
  problem,
}: {
  draft: ImportDraft | null
  batches: ReactNode
  problem?: FormError
}) {
  return (
    <>
      <div className="needs-script">
        <Island name="excel-import" of={ExcelImport} props={{ draft }} />
      </div>
      <noscript>
        <form
          className="panel stack"
          action={consoleUrls.premiumImport()}
          method="post"
          encType="multipart/form-data"
        >
          <p>Without JavaScript, everything is sent and imported at once; you then see what was done.</p>
          <FormFields problem={problem}>
            <Field label="Excel or CSV file" type="file" name="excel" required />
            <Field label="MP3 files" type="file" name="mp3s" multiple />
          </FormFields>
          <button className="btn btn-primary" type="submit">
            Upload
          </button>
        </form>
      </noscript>
      <div data-figures="imports">{batches}</div>
    </>
  )
}
