import { and, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import type { Log } from '#src/process/log'
import { runEvery } from '#src/process/run-every'
import { libraryChanged } from './library-changed'

/** Times are given to the minute. Publication is late by at most this much. */
const tickSeconds = 10

/**
 * Publishes scheduled items at their time while the program runs. Items that became due before the start are published
 * at once.
 */
export function startPublishing(db: Database, log: Log): { stop(): Promise<void> } {
  const often = { seconds: tickSeconds, first: 'now', failure: 'publishing what is due failed', log } as const
  return runEvery(often, () => publishDue(db))
}

/** Publishes the scheduled items whose time has come, and returns their number. Safe on many servers at once. */
export async function publishDue(db: Database): Promise<number> {
  const due = await db.transaction(async (tx) => {
    const items = await tx
      .update(stories)
      .set({ status: 'published' })
      .where(
        and(
          eq(stories.status, 'scheduled'),
          eq(stories.source, 'pre_uploaded'),
          lte(stories.publishedAt, sql`now()`),
        ),
      )
      .returning({ id: stories.id, title: stories.title })
    for (const { id, title } of items)
      await recordChange(tx, 'nocturne', {
        action: 'publish',
        subjectType: 'item',
        subjectId: id,
        before: { status: 'scheduled' },
        after: { status: 'published', title },
      })
    return items.length
  })
  if (due > 0) await libraryChanged(db)
  return due
}
