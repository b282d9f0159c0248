import { useRef, useState } from 'react'
import { DecisionDialog, type DecisionRequest } from '#islands/moderation/decision-dialog'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import { applyDecision, type Choice, ReportRow, reportTitleId } from '#src/moderation/report-row'
import type { ReportState } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { NothingHere } from '#src/ui/console/nothing-here'

export type ReportQueueProps = {
  reports: ContentFlag[]
  /** The filter of the list. Decided reports leave a list of pending ones. */
  state: ReportState
  /** The total number, if it is known. */
  count: number | null
  /** When the reports were read, in milliseconds since 1970. */
  at: number
}

const doneWords: Record<Choice, string> = {
  review: 'In review',
  approve: 'Content approved',
  remove: 'Content removed',
  restore: 'Content restored',
}

/** The page of reports. */
export default function ReportQueue(props: ReportQueueProps) {
  const [shown, setShown] = useState({ reports: props.reports, count: props.count })
  const change = (reports: ContentFlag[]) =>
    setShown(({ reports: before, count }) => ({
      reports,
      count: count === null ? null : count - (before.length - reports.length),
    }))
  return <ReportList {...props} {...shown} isPickable onChange={change} />
}

/** Reports with their actions: "review" acts at once, the others ask for confirmation. */
export function ReportList({
  reports,
  state,
  count,
  at,
  isPickable,
  onChange,
}: ReportQueueProps & { isPickable?: boolean; onChange: (reports: ContentFlag[]) => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, setAsked] = useState<DecisionRequest | null>(null)
  const { isBusy, problem, setProblem, submit } = useSubmit({ title: 'Error', otherwise: 'Please try again' })

  const choose = (report: ContentFlag, choice: Choice) => {
    if (choice === 'review') return void decide(report, choice, '')
    setProblem(null)
    setAsked({ report, choice })
    showDialog(dialog.current)
  }
  const decide = (report: ContentFlag, choice: Choice, notes: string) =>
    submit(async () => {
      const decided = await operatorApi('PATCH /api/content-flags/:id', {
        path: { id: report.id },
        body: {
          moderatorAction: choice === 'restore' ? 'approve' : choice,
          ...(notes && { moderatorNotes: notes }),
          seen: { resolvedAt: report.resolvedAt, status: report.item.status },
        },
      })
      const changed = applyDecision(reports, decided)
      dialog.current?.close()
      setAsked(null)
      const shown = state === 'pending' ? changed.filter(({ resolvedAt }) => resolvedAt === null) : changed
      onChange(shown)
      // The pressed button is removed, perhaps together with its report.
      const place = shown.includes(decided) && document.getElementById(reportTitleId(decided))
      ;(place || heading.current)?.focus()
      emit('nocturne:toast', { title: doneWords[choice], description: report.item.title })
    })

  return (
    <section className="panel panel-flush" aria-labelledby="reports">
      <div className="panel-head plan-head">
        <h2 id="reports" ref={heading} tabIndex={-1} data-count="">
          Reports {count !== null && <span className="meta">{count}</span>}
        </h2>
      </div>
      {reports.length === 0 && (
        <NothingHere>
          {state === 'pending' ? 'Nothing is waiting for a decision.' : 'Nothing here yet.'} Reports appear
          here.
        </NothingHere>
      )}
      {reports.map((report) => (
        <ReportRow
          key={report.id}
          report={report}
          now={at}
          isBusy={isBusy}
          isPickable={isPickable}
          onChoose={(choice) => choose(report, choice)}
        />
      ))}
      <DecisionDialog
        ref={dialog}
        request={asked}
        failure={problem?.message ?? null}
        isBusy={isBusy}
        onDecide={({ report, choice }, notes) => void decide(report, choice, notes)}
      />
    </section>
  )
}
