import { type Executor, isUniqueViolation } from '#db/db'
import { users } from '#db/schema'
import { requireOn } from '#src/flag/flags'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { hashPassword } from './password'
import type { Registration } from './schema'
import type { Member } from './session'

/**
 * Makes a member. Throws `already_exists` for a known e-mail, `throttled` for an address that makes many, and
 * `forbidden` while no accounts are made.
 */
export async function register(
  db: Executor,
  registration: Registration,
  addressHash: string,
): Promise<Member> {
  await requireOpenDoor(db, addressHash)
  const password = await hashPassword(registration.password)
  try {
    const [member] = await db
      .insert(users)
      .values({
        email: normaliseEmail(registration.email),
        password,
        firstName: registration.firstName?.trim() || null,
        lastName: registration.lastName?.trim() || null,
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
    if (isUniqueViolation(error))
      throw new Refusal(
        'already_exists',
        'An account with this email exists already. Sign in, or ask for a new password.',
      )
    throw error
  }
}

/** Throws `forbidden` while no accounts are made, and `throttled` for an address that makes many. */
export async function requireOpenDoor(db: Executor, addressHash: string): Promise<void> {
  await requireOn(
    db,
    'registrationOpen',
    'No new accounts are made at the moment. Please come back another day; what is free stays open to you.',
  )
  await countAttempt(db, [
    {
      key: `register:${addressHash}`,
      max: 10,
      windowSeconds: 3_600,
      message: 'Many accounts were made from here. Wait a little and try again.',
    },
  ])
}

/** E-mail addresses are compared without case, as mail servers do in practice. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}
