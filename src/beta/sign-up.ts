import { count, desc } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { betaSignups } from '#db/schema'
import { readEmail } from '#src/member/sign-in/register'
import { consumeRateLimit } from '#src/security/rate-limit'
import { tidyLine } from '#src/text/tidy-text'
import type { BetaSignUp } from './schema'

export const betaThanks = "Thank you for signing up! You'll be notified when premium launches."

/**
 * Stores an email address for the beta; a known one gets the same response. Throws `invalid` for an address that mail
 * cannot be sent to, and `throttled`.
 */
export async function signUpForBeta(db: Executor, signup: BetaSignUp, addressHash: string): Promise<void> {
  const email = readEmail(signup.email)
  await consumeRateLimit(db, [
    {
      key: `beta:${addressHash}`,
      max: 20,
      windowSeconds: 3_600,
      message: 'Too many sign-ups from here. Wait a moment and try again.',
    },
  ])
  await db
    .insert(betaSignups)
    .values({ email, source: tidyLine(signup.source ?? '') || undefined })
    .onConflictDoNothing()
}

/** Counts the sign-ups. */
export async function countBetaSignups(db: Executor): Promise<number> {
  const [row] = await db.select({ count: count() }).from(betaSignups)
  return row?.count ?? 0
}

/** Lists the sign-ups, the newest first: all, or the first `limit`. */
export async function listBetaSignups(db: Executor, limit?: number) {
  const signups = db
    .select({
      id: betaSignups.id,
      email: betaSignups.email,
      source: betaSignups.source,
      createdAt: betaSignups.createdAt,
    })
    .from(betaSignups)
    .orderBy(desc(betaSignups.createdAt), desc(betaSignups.id))
  return limit === undefined ? signups : signups.limit(limit)
}
