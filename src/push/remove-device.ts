import { and, eq } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { pushDevices } from '#db/schema'
import { saveSettings } from '#src/member/settings/settings'
import { isId } from '#src/shape/id'

/**
 * Ends the notifications of one of the member's browsers; after the last one, turns them off. False if there is no such
 * browser.
 */
export async function removeDevice(db: Database, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false
  return db.transaction(async (tx) => {
    const removed = await tx
      .delete(pushDevices)
      .where(and(eq(pushDevices.id, id), eq(pushDevices.userId, userId)))
      .returning({ id: pushDevices.id })
    if (removed.length === 0) return false
    const [other] = await tx
      .select({ id: pushDevices.id })
      .from(pushDevices)
      .where(eq(pushDevices.userId, userId))
      .limit(1)
    if (!other) await saveSettings(tx, userId, { pushNotifications: false })
    return true
  })
}

/** Removes a device whose subscription has ended, as its push service reports. */
export async function forgetDevice(db: Executor, id: string): Promise<void> {
  await db.delete(pushDevices).where(eq(pushDevices.id, id))
}
