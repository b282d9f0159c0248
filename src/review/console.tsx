import HeldQueue from '#islands/review/held-queue'
import { consoleUrls } from '#src/console-urls'
import type { Services } from '#src/services'
import { Island } from '#src/ui/island'
import { More } from '#src/ui/more'
import { listHeld, listHoldGroups } from './held'

/** The review queue, which is a tab of /training; other tabs have the rules that hold items. */
export async function heldTab({ db }: Services, query: { ruleId?: string; cursor?: string }) {
  const { held: items, nextCursor, total } = await listHeld(db, query)
  const groups = await listHoldGroups(db)
  return (
    <>
      {query.ruleId !== undefined && (
        <More href={consoleUrls.training({ tab: 'held' })}>Show all that is held</More>
      )}
      <Island name="held-queue" when="press" of={HeldQueue} props={{ items, groups, total, query }} />
      {nextCursor && (
        <More href={consoleUrls.training({ tab: 'held', rule: query.ruleId, cursor: nextCursor })}>
          Held more recently
        </More>
      )}
    </>
  )
}
