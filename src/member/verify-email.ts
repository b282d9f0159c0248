import { and, eq } from 'drizzle-orm'
import type { Database } from '#db/db'
import { users } from '#db/schema'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { urls } from '#src/urls'
import { verifyLetter } from './letters'
import { makeMailToken, takeMailToken } from './mail-token'
import { verifyLinkSeconds } from './rules'
import { writeToMember } from './write-to-member'

type LetterParts = Pick<Parts, 'db' | 'env' | 'secrets'>

/** Queues the letter that asks whether the address is the member's. Nothing waits for the answer. */
export async function askToVerify(
  { db, env, secrets }: LetterParts,
  { id, email }: { id: string; email: string | null },
): Promise<void> {
  if (email === null) return
  const to = { userId: id, email }
  await db.transaction(async (tx) => {
    const token = await makeMailToken(tx, 'verify', to, verifyLinkSeconds)
    const link = env.publicUrl + urls.verifyEmail({ token })
    await writeToMember({ db: tx, secrets }, to, verifyLetter({ siteName: env.siteName, link }))
  })
}

/** The same, asked for by the member. Throws `conflict` where there is nothing to confirm, and `throttled`. */
export async function askToVerifyAgain(
  parts: LetterParts,
  member: { id: string; email: string | null },
): Promise<void> {
  if (member.email === null) throw new Refusal('conflict', 'There is no email on this account to confirm.')
  if (await isEmailVerified(parts.db, member.id))
    throw new Refusal('conflict', 'This email is confirmed already.')
  const message = 'Several letters are on their way already. Look in your mail, or wait a little.'
  await countAttempt(parts.db, [{ key: `verify:${member.id}`, max: 5, windowSeconds: 3_600, message }])
  await askToVerify(parts, member)
}

/** Keeps that mail to the address of a link reaches the member. Throws `invalid` for a link that is over. */
export async function verifyEmail(db: Database, token: string): Promise<void> {
  await db.transaction(async (tx) => {
    const proof = await takeMailToken(tx, 'verify', token)
    const verified = proof
      ? await tx
          .update(users)
          .set({ emailVerifiedAt: new Date() })
          .where(and(eq(users.id, proof.userId), eq(users.email, proof.email)))
          .returning({ id: users.id })
      : []
    if (verified.length === 0) throw linkIsOver()
  })
}

export async function isEmailVerified(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, id))
  return Boolean(row?.at)
}

function linkIsOver(): Refusal {
  const message = 'This link was used already, or its time is over. Settings has a button for a new one.'
  return new Refusal('invalid', message, { fields: [{ path: 'token', message }] })
}
