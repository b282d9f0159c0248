import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { lock, lockIds } from './locks'

/**
 * Long, because thousands of restored items may be checked again under the lock if the rules have changed meanwhile.
 */
const lockWaitMs = '120000'

/**
 * Makes changes of the guidelines wait until the transaction ends, so that texts checked in it stay checked against the
 * current rules.
 */
export async function lockGuidelinesShared(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${lockIds.guidelines})`)
}

/**
 * Call it in a transaction that changes the guidelines, before it locks their rows. It waits for transactions that have
 * checked texts, so that the scan that follows sees what they have written.
 */
export async function lockGuidelinesExclusive(tx: Executor): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${lockWaitMs}, true)`)
  await lock(tx, 'guidelines')
}
