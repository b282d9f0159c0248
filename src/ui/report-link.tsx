import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

/** A quiet link at the end of an item. Without a script it opens a page; with one, a dialog over this page. */
export function ReportLink({ item, isMember }: { item: { id: string; title: string }; isMember: boolean }) {
  return (
    <p className="report">
      <a
        className="meta"
        href={urls.report(item.id)}
        rel="nofollow"
        data-report={item.id}
        data-title={item.title}
        data-member={isMember ? '' : undefined}
      >
        <Icon name="i-lucide-sm-flag" />
        Report
      </a>
    </p>
  )
}
