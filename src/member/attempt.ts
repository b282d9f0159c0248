import { and, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { signInAttempts } from '#db/schema'
import type { RequestContext } from '#src/http/context'
import { cookieName, writeCookie } from '#src/http/cookies'
import { randomToken, sha256 } from '#src/keyed-hash'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { attemptSeconds } from './rules'

export type AttemptKind = (typeof signInAttempts.$inferSelect)['kind']
export type Attempt = { userId: string | null; secret: Record<string, string> }

/**
 * Keeps what the answer to a way in has to match, and gives the browser the cookie that binds it to this browser.
 * `sameSite: 'None'` is for an answer that another site's page posts. Throws `throttled`.
 */
export async function beginAttempt(
  { db, env }: Pick<Parts, 'db' | 'env'>,
  context: RequestContext,
  kind: AttemptKind,
  { userId, secret }: Attempt,
  sameSite: 'Lax' | 'None' = 'Lax',
): Promise<void> {
  const message = 'This was begun many times just now. Wait a little and try again.'
  const key = `attempt:${context.caller.addressHash}`
  await countAttempt(db, [{ key, max: 100, windowSeconds: 15 * 60, message }])
  const token = randomToken()
  await db.insert(signInAttempts).values({
    tokenHash: sha256(token),
    kind,
    userId,
    secret,
    expiresAt: sql`now() + make_interval(secs => ${attemptSeconds})`,
  })
  const options = { isSecure: env.isSecure, sameSite, maxAgeSeconds: attemptSeconds }
  context.setCookies.push(writeCookie(cookieOf(kind), token, options))
}

/** The attempt that this browser began, without using it up; null where there is none, or its time is over. */
export async function findAttempt(
  { db, env }: Pick<Parts, 'db' | 'env'>,
  context: RequestContext,
  kind: AttemptKind,
): Promise<Attempt | null> {
  const token = context.cookies.get(cookieName(cookieOf(kind), env.isSecure))
  if (!token) return null
  const [row] = await db
    .select({ userId: signInAttempts.userId, secret: signInAttempts.secret })
    .from(signInAttempts)
    .where(isOpen(kind, token))
  return row ?? null
}

/** The same, used up: a second answer to it finds nothing. Throws `invalid` where there is none. */
export async function takeAttempt(
  { db, env }: Pick<Parts, 'db' | 'env'>,
  context: RequestContext,
  kind: AttemptKind,
): Promise<Attempt> {
  const token = context.cookies.get(cookieName(cookieOf(kind), env.isSecure)) ?? ''
  const [row] = await db
    .delete(signInAttempts)
    .where(isOpen(kind, token))
    .returning({ userId: signInAttempts.userId, secret: signInAttempts.secret })
  if (!row) throw attemptIsOver()
  context.setCookies.push(writeCookie(cookieOf(kind), '', { isSecure: env.isSecure, maxAgeSeconds: 0 }))
  return row
}

export function attemptIsOver(): Refusal {
  return new Refusal('invalid', 'This took too long, or was begun in another browser. Please try once more.')
}

/** Removes what was begun and left. */
export async function pruneAttempts(db: Executor): Promise<void> {
  await db.delete(signInAttempts).where(sql`${signInAttempts.expiresAt} < now()`)
}

const cookieOf = (kind: AttemptKind) => `nocturne_entry_${kind}`

function isOpen(kind: AttemptKind, token: string) {
  return and(
    eq(signInAttempts.tokenHash, sha256(token)),
    eq(signInAttempts.kind, kind),
    gt(signInAttempts.expiresAt, sql`now()`),
  )
}
