import { eq } from 'drizzle-orm'
import { type Database, type Executor, isUniqueViolation } from '#db/db'
import { users } from '#db/schema'
import { sha256 } from '#src/keyed-hash'
import { isMailAddress } from '#src/mail/rules'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { urls } from '#src/urls'
import { hasPassword, requirePassword } from './account'
import type { EmailChange } from './account-schema'
import { requireMember } from './find-member'
import { isFreshSession } from './fresh-session'
import { newEmailLetter } from './letters'
import { dropMailTokens, makeMailToken, takeMailToken } from './mail-token'
import { writeNotice } from './notice'
import { normaliseEmail } from './register'
import { emailLinkSeconds } from './rules'
import { closeOtherSessions } from './session'
import { suspensionWords } from './suspend'
import { writeToMember } from './write-to-member'

type LetterParts = Pick<Parts, 'db' | 'env' | 'secrets'>

/**
 * Writes to the address that a member wants to have, and says so at the present one. Nothing changes before the
 * letter's link is followed, and whether somebody has that address already is not told. Throws `invalid` about
 * `password` or `email`, and `throttled`.
 */
export async function askForNewEmail(
  { db, env, secrets }: LetterParts,
  member: { id: string; email: string | null; sid: string | null },
  { email, password }: EmailChange,
): Promise<void> {
  const { id: userId } = member
  await requireProof(db, member, password)
  const wanted = normaliseEmail(email)
  if (!isMailAddress(wanted)) throw invalid('email', 'Mail cannot be written to this address.')
  if (wanted === member.email) throw invalid('email', 'This is your email already.')
  await countLetters(db, userId, wanted)
  await db.transaction(async (tx) => {
    // One wish at a time: a link to an address that was mistyped opens nothing any longer.
    await dropMailTokens(tx, userId, 'email')
    const to = { userId, email: wanted }
    const token = await makeMailToken(tx, 'email', to, emailLinkSeconds)
    const link = env.publicUrl + urls.changeEmail({ token })
    await writeToMember({ db: tx, secrets }, to, newEmailLetter({ siteName: env.siteName, link }))
    await writeNotice({ db: tx, env, secrets }, userId, 'email-asked')
  })
}

/**
 * Gives the member of a link the address that it went to, ends every session but `sidKept` where that is the same
 * member's, and says so at the old address. Throws `invalid` for a link that is over, `already_exists` where somebody
 * has joined with that address, and `suspended`.
 */
export async function confirmNewEmail(
  { db, ...parts }: LetterParts,
  token: string,
  caller: { member: { id: string } | null; sid: string | null },
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const proof = await takeMailToken(tx, 'email', token)
      if (!proof) throw linkIsOver()
      const { id, email, suspendedAt, suspensionReason } = await requireMember(tx, proof.userId)
      if (suspendedAt) throw new Refusal('suspended', suspensionWords(suspensionReason))
      await tx.update(users).set({ email: proof.email, emailVerifiedAt: new Date() }).where(eq(users.id, id))
      await closeOtherSessions(tx, id, caller.member?.id === id ? caller.sid : null)
      await writeNotice({ ...parts, db: tx }, id, 'email-changed', email)
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Said to nobody but the reader of that mail.
    throw new Refusal('already_exists', 'There is an account with this email already: sign in to that one.')
  }
}

/** The password; where there is none, a sign-in of the last minutes. */
async function requireProof(
  db: Database,
  { id, sid }: { id: string; sid: string | null },
  password: string | undefined,
): Promise<void> {
  if (await hasPassword(db, id)) return requirePassword(db, id, password ?? '', 'password')
  if (await isFreshSession(db, sid)) return
  throw invalid('password', 'Sign in once more, and change it within ten minutes.')
}

async function countLetters(db: Executor, userId: string, email: string): Promise<void> {
  const message = 'Several letters are on their way already. Look in your mail, or wait a little.'
  await countAttempt(db, [
    { key: `new-email:${userId}`, max: 5, windowSeconds: 3_600, message },
    { key: `new-email:${sha256(email)}`, max: 5, windowSeconds: 3_600, message },
  ])
}

function linkIsOver(): Refusal {
  return invalid('token', 'This link was used already, or its day is over. Settings sends a new one.')
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { fields: [{ path, message }] })
}
