import { LinkCard } from '#src/ui/console/link-card'
import { urls } from '#src/urls'

/** The three ways to add the first items to a library. */
export function LibraryWays() {
  return (
    <div className="link-cards">
      <LinkCard
        icon="i-lucide-file-spreadsheet"
        name="Import a sheet"
        words="Excel, CSV or JSON, one row per item"
        href={urls.premiumContent({ tab: 'excel' })}
      />
      <LinkCard
        icon="i-lucide-folder-open"
        name="Drop a folder"
        words="A sheet with its recordings, all at once"
        href={urls.premiumContent({ tab: 'excel' })}
      />
      <LinkCard
        icon="i-lucide-pen-line"
        name="Write one"
        words="A title and a text; it is narrated here"
        href={urls.premiumContent({ tab: 'single' })}
      />
    </div>
  )
}
