import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { sessions } from '#db/schema'
import { type AccessEvent, listedAccessTables, type RetainedBrowser } from '#src/personal-data/registry'
import { clearPermissions } from '#src/session/audio-permissions'
import { lockMemberRow } from '#src/session/session'
import type { Ended } from './ended-rules'

const noBrowser: RetainedBrowser = { sid: null, deviceToken: null }

/**
 * Runs a transaction that calls `endAccess`, and then clears the permissions to hear that this process has cached.
 * Those of other processes expire within five seconds.
 */
export async function transactionEndingAccess<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction(work)
  clearPermissions()
  return result
}

/**
 * Ends access to a member's account, except for the acting browser. The registry states which access an event ends.
 * Call this in the transaction of the event, and afterwards clear the cached permissions to hear: with
 * `transactionEndingAccess` in this process, or with `libraryChanged` in all. Returns how many rows have ended, by
 * table.
 */
export async function endAccess(
  tx: Transaction,
  memberId: string,
  event: AccessEvent,
  browser: RetainedBrowser = noBrowser,
): Promise<Ended> {
  await lockMemberRow(tx, memberId, 'update')
  // A sign-out, which does not lock the member, deletes a session and then its subscription to notifications.
  await tx.select({ sid: sessions.sid }).from(sessions).where(eq(sessions.userId, memberId)).for('update')
  const ended: Ended = {}
  const who = { id: memberId, email: null }
  for (const { table, rows, opens } of listedAccessTables) {
    if (!opens?.endedBy.includes(event)) continue
    const conditions: SQL[] = [rows(who)]
    if (opens.only) conditions.push(opens.only)
    if (opens.isRetained) conditions.push(sql`(${opens.isRetained(browser)}) is not true`)
    const name = sql.identifier(table)
    const verb = opens.end ? sql`update ${name} set ${opens.end}` : sql`delete from ${name}`
    const gone = await tx.execute(sql`${verb} where ${sql.join(conditions, sql` and `)} returning 1`)
    if (gone.length > 0) ended[table] = gone.length
  }
  return ended
}
