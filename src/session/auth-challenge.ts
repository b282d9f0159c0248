import { and, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { signInAttempts } from '#db/schema'
import { AppError } from '#src/app-error'
import { authChallengeSeconds } from '#src/member/rules'
import type { RequestContext } from '#src/request/context'
import { type CookieOptions, clearCookie, readCookie, writeCookie } from '#src/request/cookies'
import { randomToken, sha256 } from '#src/security/keyed-hash'
import { consumeRateLimit } from '#src/security/rate-limit'

export type AuthChallengeKind = (typeof signInAttempts.$inferSelect)['kind']
export type AuthChallenge = { userId: string | null; secret: Record<string, string> }

/**
 * Stores the challenge that the answer of a sign-in has to match, and sets the cookie that binds it to this browser.
 * `sameSite: 'none'` is for an answer that another site's page posts. Throws `throttled`.
 */
export async function beginAuthChallenge(
  context: RequestContext,
  kind: AuthChallengeKind,
  { userId, secret }: AuthChallenge,
  sameSite: CookieOptions['sameSite'] = 'lax',
): Promise<void> {
  const { db } = context.services
  const message = 'Too many attempts. Wait a moment and try again.'
  const key = `attempt:${context.caller.addressHash}`
  await consumeRateLimit(db, [{ key, max: 100, windowSeconds: 15 * 60, message }])
  const token = randomToken()
  await db.insert(signInAttempts).values({
    tokenHash: sha256(token),
    kind,
    userId,
    secret,
    expiresAt: sql`now() + make_interval(secs => ${authChallengeSeconds})`,
  })
  writeCookie(context, cookieOf(kind), token, { sameSite, maxAgeSeconds: authChallengeSeconds })
}

/** Finds this browser's challenge without consuming it; null if there is none, or it has expired. */
export async function findAuthChallenge(
  context: RequestContext,
  kind: AuthChallengeKind,
): Promise<AuthChallenge | null> {
  const { db } = context.services
  const token = readCookie(context, cookieOf(kind))
  if (!token) return null
  const [row] = await db
    .select({ userId: signInAttempts.userId, secret: signInAttempts.secret })
    .from(signInAttempts)
    .where(isOpen(kind, token))
  return row ?? null
}

/** Consumes this browser's challenge, so that a second answer finds none. Throws `invalid` if there is none. */
export async function takeAuthChallenge(
  context: RequestContext,
  kind: AuthChallengeKind,
): Promise<AuthChallenge> {
  const { db } = context.services
  const token = readCookie(context, cookieOf(kind)) ?? ''
  const [row] = await db
    .delete(signInAttempts)
    .where(isOpen(kind, token))
    .returning({ userId: signInAttempts.userId, secret: signInAttempts.secret })
  if (!row) throw authChallengeIsOver()
  clearCookie(context, cookieOf(kind))
  return row
}

export function authChallengeIsOver(): AppError {
  return new AppError('invalid', 'This took too long, or was started in another browser. Please try again.')
}

/** Removes abandoned challenges. */
export async function pruneAuthChallenges(db: Executor): Promise<void> {
  await db.delete(signInAttempts).where(sql`${signInAttempts.expiresAt} < now()`)
}

const cookieOf = (kind: AuthChallengeKind) => `nocturne_entry_${kind}`

function isOpen(kind: AuthChallengeKind, token: string) {
  return and(
    eq(signInAttempts.tokenHash, sha256(token)),
    eq(signInAttempts.kind, kind),
    gt(signInAttempts.expiresAt, sql`now()`),
  )
}
