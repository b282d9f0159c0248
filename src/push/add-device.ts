import { and, desc, eq, inArray, or } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { challengeEnrolments, pushDevices } from '#db/schema'
import { isTimeZone } from '#src/challenge/rules'
import type { Env } from '#src/env'
import { addressProblem } from '#src/http-client/guarded-fetch'
import { saveSettings } from '#src/member/settings/settings'
import { seal } from '#src/security/encryption'
import { sha256 } from '#src/security/keyed-hash'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { lockMember } from '#src/session/session'
import { invalidField } from '#src/shape/invalid-field'
import { oddCharacterProblem } from '#src/text/odd-character'
import { devicesMax } from './rules'
import type { Subscription } from './schema'

/** The owner of a browser, its session, and its description. */
export type Subscriber = { userId: string; sid: string; device: string }

/**
 * Stores a browser's push subscription, and turns notifications on for the member. A browser has one subscription and
 * one member, so earlier ones are removed. Throws `invalid` for an endpoint that cannot be used, `throttled`, and
 * `sign_in_required` if the session has ended since the request arrived.
 */
export async function addDevice(
  { db, env, secrets }: Pick<Services, 'db' | 'env' | 'secrets'>,
  { userId, sid, device }: Subscriber,
  { timeZone, ...subscription }: Subscription,
): Promise<void> {
  await requireUsable(env, subscription)
  const message = 'Notifications were turned on too often just now. Wait a moment and try again.'
  await consumeRateLimit(db, [{ key: `push:${userId}`, max: 30, windowSeconds: 3_600, message }])
  const id = newId()
  const endpointHash = sha256(subscription.endpoint)
  const sealed = seal(secrets.encryption, placeOf(id), JSON.stringify(subscription))
  await db.transaction(async (tx) => {
    // The lock lets a member add one device at a time, so that their number stays limited.
    await lockMember(tx, { id: userId, sid })
    await tx
      .delete(pushDevices)
      .where(or(eq(pushDevices.sid, sid), eq(pushDevices.endpointHash, endpointHash)))
    const zone = await zoneOf(tx, userId, timeZone)
    // If another member has subscribed the same browser meanwhile, it is theirs.
    await tx
      .insert(pushDevices)
      .values({ id, userId, sid, endpointHash, sealed, device, timeZone: zone })
      .onConflictDoNothing()
    await saveSettings(tx, userId, { pushNotifications: true })
    await dropOldest(tx, userId)
  })
}

/** The row and column that a device's endpoint and keys are sealed for. */
export function placeOf(id: string) {
  return { table: 'push_devices', row: id, column: 'sealed' }
}

/** Checks the endpoint, which comes from the browser, like any address that a person typed. */
async function requireUsable(
  env: Pick<Env, 'allowPrivatePushUrls'>,
  { endpoint, keys }: Omit<Subscription, 'timeZone'>,
): Promise<void> {
  const url = URL.parse(endpoint)
  const isAddress =
    url !== null && !url.username && !url.password && !oddCharacterProblem('address', endpoint, 'header')
  if (!isAddress || addressProblem(url.origin + url.pathname, env.allowPrivatePushUrls) !== null)
    throw invalidField('endpoint', 'This is not the address of a push service.')
  const point = Buffer.from(keys.p256dh, 'base64url')
  await crypto.subtle
    .importKey('raw', point, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
    .catch(() => Promise.reject(invalidField('keys.p256dh', 'This is not a public key of P-256.')))
}

async function zoneOf(db: Executor, userId: string, timeZone: string | undefined): Promise<string> {
  if (timeZone && isTimeZone(timeZone)) return timeZone
  const [enrolment] = await db
    .select({ timeZone: challengeEnrolments.timeZone })
    .from(challengeEnrolments)
    .where(eq(challengeEnrolments.userId, userId))
    .orderBy(desc(challengeEnrolments.id))
    .limit(1)
  return enrolment?.timeZone ?? 'UTC'
}

async function dropOldest(tx: Executor, userId: string): Promise<void> {
  const tooMany = tx
    .select({ id: pushDevices.id })
    .from(pushDevices)
    .where(eq(pushDevices.userId, userId))
    .orderBy(desc(pushDevices.id))
    .offset(devicesMax)
  await tx.delete(pushDevices).where(and(eq(pushDevices.userId, userId), inArray(pushDevices.id, tooMany)))
}
