import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { urls } from '#src/urls'
import { settleDevice } from './deliver'
import { findOwnDevice } from './devices'
import { type SendOptions, sendPush } from './send'

/**
 * Sends the browser that asks a notification at once, at any hour, so that its member sees what it looks like.
 * Throws `conflict` where it takes none or its push service is away, `throttled`, and what that one refuses.
 */
export async function tryPush(
  parts: Pick<Parts, 'db' | 'env' | 'secrets' | 'assets'>,
  { userId, sid }: { userId: string; sid: string },
  options?: SendOptions,
): Promise<void> {
  const { db } = parts
  const message = 'That is enough to see what it looks like. Wait a little and try again.'
  await countAttempt(db, [{ key: `push-trial:${userId}`, max: 10, windowSeconds: 3_600, message }])
  const device = await findOwnDevice(db, userId, sid)
  if (!device) throw new Refusal('conflict', 'Notifications are off in this browser. Turn them on first.')
  const answer = await sendPush(parts, device, { topic: 'trial', path: urls.settings() }, options).catch(
    (cause) => {
      // What does not work is not this site.
      if (!(cause instanceof Refusal) || cause.code !== 'unavailable') throw cause
      throw new Refusal('conflict', 'The push service of this browser does not answer. Try again later.', {
        cause,
      })
    },
  )
  await settleDevice(db, device.id, answer)
  if (answer === 'gone')
    throw new Refusal('conflict', 'This browser takes notifications no longer. Turn them on again.')
}
