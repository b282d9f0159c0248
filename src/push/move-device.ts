import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { sha256 } from '#src/security/keyed-hash'

/**
 * Moves a browser's subscription to its new session, so that it stays subscribed if both sessions are of one member.
 */
export async function moveDevice(db: Executor, fromToken: string, toToken: string): Promise<void> {
  await db.execute(sql`
    with next as (select sid, user_id from sessions where sid = ${sha256(toToken)} for key share)
    update push_devices as device set sid = next.sid from next
    where device.sid = ${sha256(fromToken)} and next.user_id = device.user_id`)
}
