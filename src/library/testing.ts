import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { until } from '#src/testing/until'

/** Commits a change of an item while `work` waits for its row; returns the outcome of `work`. */
export async function changeMeanwhile<T>(
  db: Database,
  id: string,
  change: Partial<typeof stories.$inferInsert>,
  work: () => Promise<T>,
): Promise<T> {
  const { waiting } = await db.transaction(async (tx) => {
    await tx.update(stories).set(change).where(eq(stories.id, id))
    const waiting = work()
    // It may fail the moment that the row is free, before it is awaited.
    waiting.catch(() => {})
    await until(() => isLockAwaited(db))
    return { waiting }
  })
  return waiting
}

async function isLockAwaited(db: Database): Promise<boolean> {
  const waiting = await db.execute(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return waiting.length > 0
}
