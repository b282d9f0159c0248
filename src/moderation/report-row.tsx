import { agoWords } from '#src/analytics/dashboard'
import { PickBox } from '#src/selection/pick-box'
import { joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { reportTypeWords } from './rules'
import type { ContentFlag } from './schema'

/** The action of each button of a report. */
export type Choice = 'review' | 'approve' | 'remove' | 'restore'

/** One report: its item, its state, and its actions. Browser-safe. */
export function ReportRow({
  report,
  now,
  isBusy,
  isPickable = false,
  onChoose,
}: {
  report: ContentFlag
  /** In milliseconds since 1970. */
  now: number
  isBusy: boolean
  /** Whether the list has a selection. */
  isPickable?: boolean
  onChoose: (choice: Choice) => void
}) {
  const { item, flagType, flagReason, createdAt, reporter, openFlags } = report
  return (
    <article className="flag" data-pick-row="">
      <div className="stack-sm">
        <div className="btn-row badge-row">
          {isPickable && <PickBox id={report.id} title={item.title} />}
          <Badge kind="warn">
            <Icon name="i-lucide-sm-flag" />
            {reportTypeWords[flagType].name}
          </Badge>
          <span className="meta">
            {joinFacts(agoWords((now - Date.parse(createdAt)) / 1_000), stateWords(report))}
          </span>
        </div>
        <h3 id={reportTitleId(report)} tabIndex={-1}>
          {isOpen(report) ? <a href={urls.item(item)}>{item.title}</a> : item.title}
        </h3>
        {flagReason && <p className="flag-words">{flagReason}</p>}
        {report.resolvedAt && report.moderatorNotes && <p>{report.moderatorNotes}</p>}
        <div className="meta-row">
          <span>{item.source === 'user_generated' ? 'made by a member' : 'of the library'}</span>
          <span>
            reported by a {reporter}
            {report.isReporterTold ? '' : ' without an address'}
          </span>
          {openFlags > 1 && <span>{pluralize(openFlags, 'report')} pending</span>}
        </div>
        {item.preview && (
          <details className="flag-text">
            <summary className="meta">How it begins</summary>
            <p>{item.preview}</p>
          </details>
        )}
      </div>
      <div className="btn-row">
        {choicesOf(report).map((choice) => (
          <Button
            key={choice}
            size="sm"
            kind={choice === 'remove' ? 'danger' : 'quiet'}
            isBusy={isBusy}
            aria-label={`${choiceNames[choice]}: ${item.title}`}
            onClick={() => onChoose(choice)}
          >
            {choiceNames[choice]}
          </Button>
        ))}
      </div>
    </article>
  )
}

/** The id of a report's title, which receives the focus if the pressed button is gone. */
export const reportTitleId = ({ id }: Pick<ContentFlag, 'id'>) => `report-${id}`

const choiceNames: Record<Choice, string> = {
  review: 'Review',
  approve: 'Approve',
  remove: 'Remove',
  restore: 'Restore',
}

function stateWords({ resolvedAt, moderatorAction, moderator, item }: ContentFlag): string {
  if (!resolvedAt) return moderatorAction === 'review' ? `in review by ${moderator}` : 'pending'
  const isRemoved = moderatorAction === 'remove' && item.status === 'removed'
  return `${isRemoved ? 'removed' : 'approved'} by ${moderator}`
}

/** Whether operators can open the item's page. */
function isOpen({ item }: ContentFlag): boolean {
  return item.status === 'published' && (item.source === 'pre_uploaded' || item.isShared)
}

function choicesOf({ resolvedAt, moderatorAction, item }: ContentFlag): Choice[] {
  const isRemoved = item.status === 'removed'
  if (resolvedAt) return isRemoved ? ['restore'] : ['remove']
  const review: Choice[] = moderatorAction === 'review' ? [] : ['review']
  return [...review, isRemoved ? 'restore' : 'approve', 'remove']
}

/** Updates a list of reports after a decision on one of them, with the reports decided by it. */
export function applyDecision(reports: readonly ContentFlag[], decided: ContentFlag): ContentFlag[] {
  const { id, storyId, item, openFlags, moderatorAction, moderatorNotes, moderator, resolvedAt } = decided
  return reports.map((report) => {
    if (report.id === id) return decided
    if (report.storyId !== storyId) return report
    const isBack = report.item.status === 'removed' && item.status !== 'removed'
    const isDecided =
      (moderatorAction === 'remove' && report.resolvedAt === null) ||
      (isBack && report.resolvedAt !== null && report.moderatorAction === 'remove')
    const decision = { moderatorAction, moderatorNotes, moderator, resolvedAt }
    return { ...report, item, openFlags, ...(isDecided && decision) }
  })
}
