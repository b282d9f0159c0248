import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { isLockAwaited } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'

/** Commits a change of an item while `work` waits for its row; returns the result of `work`. */
export function changeMeanwhile<T>(
  db: Database,
  id: string,
  change: Partial<typeof stories.$inferInsert>,
  work: () => Promise<T>,
): Promise<T> {
  return commitMeanwhile(db, (tx) => tx.update(stories).set(change).where(eq(stories.id, id)), work)
}

/**
 * Runs `write` in a transaction, starts `work`, and commits once `work` waits for a lock or has ended; returns its
 * result.
 */
export async function commitMeanwhile<T>(
  db: Database,
  write: (tx: Transaction) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { waiting } = await db.transaction(async (tx) => {
    await write(tx)
    let isOver = false
    const waiting = work().finally(() => {
      isOver = true
    })
    // It may fail as soon as the lock is released, before it is awaited.
    waiting.catch(() => {})
    await until(async () => isOver || (await isLockAwaited(db)))
    return { waiting }
  })
  return waiting
}
