import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { lock, lockIds } from './locks'

/** Thousands of items that come back by rules which have changed meanwhile are judged once more under the lock. */
const lockWaitMs = '120000'

/** Makes changes of the guidelines wait until the transaction ends: what it judges under the lock stays judged. */
export async function keepGuidelines(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${lockIds.guidelines})`)
}

/**
 * For a transaction that changes the guidelines: waits for those that have judged texts, so that the scan after it
 * reads what they have written. Taken before the rows of the guidelines.
 */
export async function lockGuidelines(tx: Executor): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${lockWaitMs}, true)`)
  await lock(tx, 'guidelines')
}
