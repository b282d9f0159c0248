import { eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { pushDevices } from '#db/schema'
import { type JobHandler, NotYet } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { findDevice } from './devices'
import { forgetDevice } from './remove-device'
import { quietSecondsLeft } from './rules'
import { type SendOptions, sendPush } from './send'

/** What a push job carries. */
export type QueuedPush = { deviceId: string; topic: Parameters<typeof sendPush>[2]['topic']; path: string }

/**
 * Sends one notification to one browser, never in the quiet hours of its own clock: it waits until they are over,
 * unless it is about today. A browser that its push service knows no longer is forgotten.
 */
export function pushHandler(
  parts: Pick<Parts, 'db' | 'env' | 'secrets' | 'assets'>,
  { now = () => new Date(), ...options }: SendOptions & { now?: () => Date } = {},
): JobHandler {
  return async ({ payload }, { signal }) => {
    const { deviceId, ...news } = payload as QueuedPush
    const device = await findDevice(parts.db, deviceId)
    if (!device) return { sentTo: 'nobody' }
    const quietSeconds = quietSecondsLeft(device.timeZone, now())
    if (quietSeconds > 0 && news.topic === 'challenge') return { sentTo: 'nobody' }
    if (quietSeconds > 0) throw new NotYet(quietSeconds)
    const answer = await sendPush(parts, device, news, { signal, ...options })
    await settleDevice(parts.db, deviceId, answer)
    return { sentTo: answer === 'taken' ? 'device' : 'nobody' }
  }
}

/** Keeps what a push service said of a browser. */
export async function settleDevice(db: Executor, id: string, answer: 'taken' | 'gone'): Promise<void> {
  if (answer === 'gone') return forgetDevice(db, id)
  await db.update(pushDevices).set({ lastSuccessAt: sql`now()` }).where(eq(pushDevices.id, id))
}
