import { AppError } from '#src/app-error'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import { updateDevice } from './deliver'
import { findOwnDevice } from './devices'
import { sendPush } from './send'

/**
 * Sends a test notification to the requesting browser at once, at any hour. Throws `conflict` if it has no subscription
 * or its push service is unavailable, `throttled`, and the push service's refusal.
 */
export async function tryPush(
  services: Pick<Services, 'db' | 'env' | 'secrets' | 'assets'>,
  { userId, sid }: { userId: string; sid: string },
): Promise<void> {
  const { db } = services
  const message = 'That is enough to see what it looks like. Wait a moment and try again.'
  await consumeRateLimit(db, [{ key: `push-trial:${userId}`, max: 10, windowSeconds: 3_600, message }])
  const device = await findOwnDevice(db, userId, sid)
  if (!device) throw new AppError('conflict', 'Notifications are off in this browser. Turn them on first.')
  const answer = await sendPush(services, device, { topic: 'trial', path: urls.settings() }).catch(
    (cause) => {
      // The failure is not this site's, so it is not reported as `unavailable`.
      if (!(cause instanceof AppError) || cause.code !== 'unavailable') throw cause
      throw new AppError('conflict', 'The push service of this browser does not answer. Try again later.', {
        cause,
      })
    },
  )
  await updateDevice(db, device.id, answer)
  if (answer === 'gone')
    throw new AppError('conflict', 'This browser no longer accepts notifications. Turn them on again.')
}
