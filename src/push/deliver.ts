import { eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { pushDevices } from '#db/schema'
import { type JobHandler, RetryLater } from '#src/job/run-job'
import type { Services } from '#src/services'
import { findDevice } from './devices'
import { forgetDevice } from './remove-device'
import { quietSecondsLeft } from './rules'
import { type SendOptions, sendPush } from './send'

/** The input of a push job. */
export type QueuedPush = { deviceId: string; topic: Parameters<typeof sendPush>[2]['topic']; path: string }

/**
 * Returns the handler that sends one notification to one browser. In the quiet hours of the browser's own clock it is
 * postponed until they end, or dropped if it is only about today. A browser that its push service no longer knows is
 * removed.
 */
export function pushHandler(
  services: Pick<Services, 'db' | 'env' | 'secrets' | 'assets'>,
  { now = () => new Date(), ...options }: SendOptions & { now?: () => Date } = {},
): JobHandler {
  return async ({ payload }, { signal }) => {
    const { deviceId, ...news } = payload as QueuedPush
    const device = await findDevice(services.db, deviceId)
    if (!device) return { sentTo: 'nobody' }
    const quietSeconds = quietSecondsLeft(device.timeZone, now())
    if (quietSeconds > 0 && news.topic === 'challenge') return { sentTo: 'nobody' }
    if (quietSeconds > 0) throw new RetryLater(quietSeconds)
    const answer = await sendPush(services, device, news, { signal, ...options })
    await updateDevice(services.db, deviceId, answer)
    return { sentTo: answer === 'taken' ? 'device' : 'nobody' }
  }
}

/** Updates a device after its push service has answered. */
export async function updateDevice(db: Executor, id: string, answer: 'taken' | 'gone'): Promise<void> {
  if (answer === 'gone') return forgetDevice(db, id)
  await db.update(pushDevices).set({ lastSuccessAt: sql`now()` }).where(eq(pushDevices.id, id))
}
