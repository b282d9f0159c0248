import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { identities, passkeys, users } from '#db/schema'
import { sha256 } from '#src/keyed-hash'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { requireMember } from './find-member'
import { dropMailTokens, findMailToken, takeMailToken } from './mail-token'
import { writeNotice } from './notice'
import { hashPassword } from './password'
import { normaliseEmail } from './register'
import { queueResetLetter } from './reset-letter'
import { closeOtherSessions, type Member } from './session'
import { suspensionWords } from './suspend'

/** Asks for a letter with a link. Who is no member is answered the same. Throws `throttled`. */
export async function askForReset(
  parts: Pick<Parts, 'db' | 'secrets'>,
  email: string,
  addressHash: string,
): Promise<void> {
  const account = normaliseEmail(email)
  const message = 'Letters were asked for several times just now. Look in your mail, or wait a little.'
  await countAttempt(parts.db, [
    { key: `reset:${addressHash}`, max: 20, windowSeconds: 3_600, message },
    { key: `reset:${sha256(account)}`, max: 5, windowSeconds: 3_600, message },
  ])
  await queueResetLetter(parts, account)
}

/**
 * Gives the member of a link a new password, ends every session and says so by mail. Who had only a provider has a password from
 * then on. Throws `invalid` for a link that is over and for a weak password, `suspended`, and `throttled`.
 */
export async function choosePassword(
  { db, ...parts }: Pick<Parts, 'db' | 'env' | 'secrets'>,
  { token, password }: { token: string; password: string },
  addressHash: string,
): Promise<Member> {
  const message = 'Too many tries. Wait a little and try again.'
  await countAttempt(db, [{ key: `reset-choose:${addressHash}`, max: 20, windowSeconds: 15 * 60, message }])
  // Before the hash, which costs something, and again after it.
  if (!(await findMailToken(db, 'reset', token))) throw linkIsOver()
  const hash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const proof = await takeMailToken(tx, 'reset', token)
    if (!proof) throw linkIsOver()
    const { suspendedAt, suspensionReason, ...member } = await requireMember(tx, proof.userId)
    if (suspendedAt) throw new Refusal('suspended', suspensionWords(suspensionReason))
    if (member.email !== proof.email) throw linkIsOver()
    await forgetUnprovenWays(tx, member.id)
    await tx.update(users).set({ password: hash, emailVerifiedAt: new Date() }).where(eq(users.id, member.id))
    await closeOtherSessions(tx, member.id, null)
    await dropMailTokens(tx, member.id, 'email')
    await writeNotice({ ...parts, db: tx }, member.id, 'password')
    return member
  })
}

/**
 * An account made with somebody else's address is that person's once they show that it is theirs: what was added
 * before, by whoever made it, opens it no longer.
 */
async function forgetUnprovenWays(tx: Transaction, userId: string): Promise<void> {
  const [row] = await tx
    .select({ emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (row?.emailVerifiedAt) return
  await tx.delete(identities).where(eq(identities.userId, userId))
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
  await tx.update(users).set({ oauthProvider: null, oauthSub: null }).where(eq(users.id, userId))
}

function linkIsOver(): Refusal {
  const message = 'This link was used already, or its hour is over. Ask for a new one.'
  return new Refusal('invalid', message, { fields: [{ path: 'token', message }] })
}
