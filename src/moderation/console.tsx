import * as t from 'typebox'
import ReportQueue from '#islands/moderation/report-queue'
import { consoleUrls } from '#src/console-urls'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import { SelectRows } from '#src/selection/select-rows'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { Island } from '#src/ui/island'
import { More } from '#src/ui/more'
import { listReports } from './reports'
import { type ReportState, reportStates } from './rules'
import { countWaiting } from './waiting'

const stateNames: Record<ReportState, string> = { pending: 'Waiting', decided: 'Decided', all: 'All' }

/** The page /moderation: all reports, the undecided first, and the history with its undo. */
export function moderationConsole(services: Services) {
  return router().get(
    '/moderation',
    async ({ context, query: { state = 'pending', cursor } }) => {
      const { held } = await countWaiting(services.db)
      return consolePage(
        context,
        {
          title: 'Content Moderation',
          room: 'Moderation',
          actions: (
            <div className="btn-row">
              <a className="btn btn-quiet" href={consoleUrls.feedback()}>
                What members say
              </a>
              <a className="btn btn-quiet" href={consoleUrls.training({ tab: 'held' })}>
                Held for review{held > 0 && ` (${held.toLocaleString('en')})`}
              </a>
            </div>
          ),
        },
        async () => {
          const { reports, count, nextCursor } = await listReports(services.db, { state, cursor })
          return (
            <div className="stack">
              <StateFilter current={state} />
              <Island
                name="report-queue"
                when="press"
                of={ReportQueue}
                props={{ reports, state, count, at: Date.now() }}
              />
              {count > 0 && <SelectRows kind="reports" filter={{ state }} total={count} />}
              {nextCursor && (
                <More href={consoleUrls.moderation({ state, cursor: nextCursor })}>Older reports</More>
              )}
            </div>
          )
        },
      )
    },
    {
      query: t.Object({
        state: t.Optional(oneOf(reportStates)),
        cursor: t.Optional(t.String({ maxLength: 64 })),
      }),
      detail: { hide: true },
    },
  )
}

function StateFilter({ current }: { current: ReportState }) {
  return (
    <nav className="chips" aria-label="State" data-keep="">
      {reportStates.map((state) => (
        <a
          key={state}
          className="chip"
          href={consoleUrls.moderation({ state: state === 'pending' ? undefined : state })}
          aria-current={state === current || undefined}
        >
          {stateNames[state]}
        </a>
      ))}
    </nav>
  )
}
