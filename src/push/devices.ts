import { and, desc, eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { pushDevices, userSettings } from '#db/schema'
import type { Services } from '#src/services'
import type { PushState } from './schema'

/** The state of a member's notifications: our public key, whether they are on, and the subscribed browsers. */
export async function findPushState(
  { db, secrets }: Pick<Services, 'secrets'> & { db: Executor },
  userId: string,
  sid: string | null,
): Promise<PushState> {
  const [[settings], rows] = await Promise.all([
    db
      .select({ isOn: userSettings.pushNotifications })
      .from(userSettings)
      .where(eq(userSettings.userId, userId)),
    db
      .select({
        id: pushDevices.id,
        device: pushDevices.device,
        createdAt: pushDevices.createdAt,
        lastSuccessAt: pushDevices.lastSuccessAt,
        sid: pushDevices.sid,
      })
      .from(pushDevices)
      .where(eq(pushDevices.userId, userId))
      .orderBy(desc(pushDevices.id)),
  ])
  return {
    publicKey: secrets.push.publicKey,
    isOn: settings?.isOn ?? false,
    devices: rows.map((row) => ({
      id: row.id,
      device: row.device,
      createdAt: row.createdAt.toISOString(),
      lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
      isCurrent: row.sid === sid,
    })),
  }
}

/** The sealed push subscription of a browser. */
export type SealedDevice = { id: string; sealed: string; timeZone: string; isDiscreet: boolean }

const sendable = {
  id: pushDevices.id,
  sealed: pushDevices.sealed,
  timeZone: pushDevices.timeZone,
  isDiscreet: userSettings.discreetMode,
}

/** Finds a device, if its member has notifications on. */
export async function findDevice(db: Executor, id: string): Promise<SealedDevice | null> {
  const [device] = await db
    .select(sendable)
    .from(pushDevices)
    .innerJoin(userSettings, eq(userSettings.userId, pushDevices.userId))
    .where(and(eq(pushDevices.id, id), eq(userSettings.pushNotifications, true)))
  return device ?? null
}

/** Finds the browser of a session. */
export async function findOwnDevice(db: Executor, userId: string, sid: string): Promise<SealedDevice | null> {
  const [device] = await db
    .select(sendable)
    .from(pushDevices)
    .innerJoin(userSettings, eq(userSettings.userId, pushDevices.userId))
    .where(and(eq(pushDevices.sid, sid), eq(pushDevices.userId, userId)))
  return device ?? null
}
