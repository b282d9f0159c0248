import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { sha256 } from '#src/keyed-hash'

/** A browser gets a new session in place of the one it brought: where both are of one member, it goes on taking notifications. */
export async function moveDevice(db: Executor, fromToken: string, toToken: string): Promise<void> {
  await db.execute(sql`
    update push_devices as device set sid = next.sid from sessions as next
    where device.sid = ${sha256(fromToken)} and next.sid = ${sha256(toToken)} and next.user_id = device.user_id`)
}
