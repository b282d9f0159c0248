import { and, desc, eq, inArray, or } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { challengeEnrolments, pushDevices, users } from '#db/schema'
import { isTimeZone } from '#src/challenge/rules'
import type { Env } from '#src/env'
import { sha256 } from '#src/keyed-hash'
import { saveSettings } from '#src/member/settings'
import { addressProblem } from '#src/outgoing/guarded-fetch'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { seal } from '#src/sealed'
import { countAttempt } from '#src/throttle'
import { devicesMax } from './rules'
import type { Subscription } from './schema'

/** Whose browser it is, which session it has, and what it is called. */
export type Subscriber = { userId: string; sid: string; device: string }

/**
 * Keeps a browser that takes notifications, and with it the wish for them. It has one subscription, and one member:
 * what was known of it before is over. Throws `invalid` for an endpoint that cannot be written to, and `throttled`.
 */
export async function addDevice(
  { db, env, secrets }: Pick<Parts, 'db' | 'env' | 'secrets'>,
  { userId, sid, device }: Subscriber,
  { timeZone, ...subscription }: Subscription,
): Promise<void> {
  await requireUsable(env, subscription)
  const message = 'Notifications were turned on very often just now. Wait a little and try again.'
  await countAttempt(db, [{ key: `push:${userId}`, max: 30, windowSeconds: 3_600, message }])
  const id = newId()
  const endpointHash = sha256(subscription.endpoint)
  const sealed = seal(secrets.encryption, placeOf(id), JSON.stringify(subscription))
  await db.transaction(async (tx) => {
    // One at a time, so that a member never has more than there may be.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    await tx
      .delete(pushDevices)
      .where(or(eq(pushDevices.sid, sid), eq(pushDevices.endpointHash, endpointHash)))
    const zone = await zoneOf(tx, userId, timeZone)
    // Another member's sign-in in the same browser may come first: then it is theirs.
    await tx
      .insert(pushDevices)
      .values({ id, userId, sid, endpointHash, sealed, device, timeZone: zone })
      .onConflictDoNothing()
    await saveSettings(tx, userId, { pushNotifications: true })
    await dropOldest(tx, userId)
  })
}

/** Where the endpoint and the keys of a device are sealed for. */
export function placeOf(id: string) {
  return { table: 'push_devices', row: id, column: 'sealed' }
}

/** The address is what a browser says that it is: it is treated as any that somebody typed. */
async function requireUsable(
  env: Pick<Env, 'allowPrivatePushUrls'>,
  { endpoint, keys }: Omit<Subscription, 'timeZone'>,
): Promise<void> {
  const url = URL.parse(endpoint)
  const isAddress = url !== null && !url.username && !url.password
  if (!isAddress || addressProblem(url.origin + url.pathname, env.allowPrivatePushUrls) !== null)
    throw invalid('endpoint', 'This is no address of a push service.')
  const point = Buffer.from(keys.p256dh, 'base64url')
  await crypto.subtle
    .importKey('raw', point, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
    .catch(() => Promise.reject(invalid('keys.p256dh', 'This is no public key of P-256.')))
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', `${path}: ${message}`, { fields: [{ path, message }] })
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
