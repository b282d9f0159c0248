import { and, eq, gt, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#db/db'
import { mailTokens } from '#db/schema'
import { randomToken, sha256 } from '#src/security/keyed-hash'
import { lockMemberRow } from '#src/session/session'

export type MailPurpose = 'reset' | 'verify' | 'email'
export type MailToken = { userId: string; email: string }

/** Creates a token for a link in a mail to `email`. It proves, once, that its user reads that mail. */
export async function makeMailToken(
  db: Executor,
  purpose: MailPurpose,
  { userId, email }: MailToken,
  lifeSeconds: number,
): Promise<string> {
  const token = randomToken()
  await db.insert(mailTokens).values({
    tokenHash: sha256(token),
    userId,
    purpose,
    email,
    expiresAt: sql`now() + make_interval(secs => ${lifeSeconds})`,
  })
  return token
}

/** Finds the member and address of a valid token without using it up. Null for an invalid one. */
export async function findMailToken(
  db: Executor,
  purpose: MailPurpose,
  token: string,
): Promise<MailToken | null> {
  const [row] = await db
    .select({ userId: mailTokens.userId, email: mailTokens.email })
    .from(mailTokens)
    .where(isOpen(purpose, token))
  return row ?? null
}

/**
 * Like `findMailToken`, and uses the token up: a second caller gets null, and all other links for that purpose become
 * void.
 */
export async function takeMailToken(
  tx: Transaction,
  purpose: MailPurpose,
  token: string,
): Promise<MailToken | null> {
  const found = await findMailToken(tx, purpose, token)
  if (!found) return null
  await lockMemberRow(tx, found.userId, 'update')
  const taken = await tx
    .delete(mailTokens)
    .where(isOpen(purpose, token))
    .returning({ email: mailTokens.email })
  if (taken.length === 0) return null
  await dropMailTokens(tx, found.userId, purpose)
  return found
}

/** Voids all links of a member for that purpose. */
export async function dropMailTokens(db: Executor, userId: string, purpose: MailPurpose): Promise<void> {
  await db.delete(mailTokens).where(and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose)))
}

/** Removes expired tokens. */
export async function pruneMailTokens(db: Executor): Promise<void> {
  await db.delete(mailTokens).where(sql`${mailTokens.expiresAt} < now()`)
}

function isOpen(purpose: MailPurpose, token: string) {
  return and(
    eq(mailTokens.tokenHash, sha256(token)),
    eq(mailTokens.purpose, purpose),
    gt(mailTokens.expiresAt, sql`now()`),
  )
}
