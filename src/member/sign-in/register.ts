import type { Executor } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { requireOn } from '#src/feature-flag/flags'
import { isMailAddress } from '#src/mail/rules'
import type { Registration } from '#src/member/schema'
import { tidyName } from '#src/member/tidy-name'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Member } from '#src/session/schema'
import { invalidField } from '#src/shape/invalid-field'
import { hashPassword } from './password'

/**
 * Creates a member. Throws `invalid` for an email that cannot receive mail, since nobody could recover the account;
 * `already_exists` for a known one; `throttled` for an address that creates many accounts; and `forbidden` while
 * registration is closed.
 */
export async function register(
  db: Executor,
  registration: Registration,
  addressHash: string,
): Promise<Member> {
  const email = readEmail(registration.email)
  await requireOpenRegistration(db, addressHash)
  const password = await hashPassword(registration.password)
  try {
    const [member] = await db
      .insert(users)
      .values({
        email,
        password,
        firstName: tidyName(registration.firstName),
        lastName: tidyName(registration.lastName),
      })
      .returning({
        id: users.id,
        email: users.email,
        firstName: users.firstName,
        lastName: users.lastName,
        createdAt: users.createdAt,
        oauthProvider: users.oauthProvider,
      })
    if (!member) throw new Error('The insert answered no row.')
    return member
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const message = 'An account with this email exists already. Sign in, or ask for a new password.'
    throw new AppError('already_exists', message, { fields: [{ path: 'email', message }] })
  }
}

/** Throws `forbidden` while registration is closed, and `throttled` for an address that creates many accounts. */
export async function requireOpenRegistration(db: Executor, addressHash: string): Promise<void> {
  await requireOn(
    db,
    'registrationOpen',
    'New accounts are closed at the moment. Please come back another day; what is free stays open to you.',
  )
  await consumeRateLimit(db, [
    {
      key: `register:${addressHash}`,
      max: 10,
      windowSeconds: 3_600,
      message: 'Too many accounts were made from here. Wait a moment and try again.',
    },
  ])
}

/** Normalises an email for storage. Throws `invalid` for one that cannot receive mail. */
export function readEmail(text: string): string {
  const email = normaliseEmail(text)
  if (!isMailAddress(email)) throw invalidField('email', 'Expected an email address such as mara@example.com')
  return email
}

/** Lower-cases an email: mail servers ignore case in practice. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}
