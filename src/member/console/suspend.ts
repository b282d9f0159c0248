import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { users } from '#db/schema'
import { endAccess } from '#src/member/data/access'
import type { Ended } from '#src/member/data/ended-rules'
import { requireMember } from '#src/member/find-member'
import { reasonCharactersMax } from '#src/member/rules'
import { recordChange } from '#src/operator/audit'
import { invalidField, refusedField } from '#src/shape/invalid-field'
import { libraryChanged } from '#src/story/library-changed'
import { tidyLine } from '#src/text/tidy-text'

/**
 * Suspends a member: ends their sessions at once, and shows them the reason when they sign in. Suspending again changes
 * the reason. Throws `not_found`, and `invalid` for a missing reason or one that is too long.
 */
export async function suspendMember(db: Database, id: string, reason: string, by: string): Promise<void> {
  const message = tidyLine(reason)
  if (message === '') throw refusedField('reason', 'Write a reason: the member is told it.')
  if (message.length > reasonCharactersMax)
    throw invalidField('reason', `Must have at most ${reasonCharactersMax} characters`)
  await db.transaction(async (tx) => {
    const before = await requireMember(tx, id)
    await tx
      .update(users)
      .set({ suspendedAt: sql`coalesce(${users.suspendedAt}, now())`, suspensionReason: message })
      .where(eq(users.id, before.id))
    await endAccess(tx, before.id, 'suspension')
    await recordChange(tx, by, {
      action: 'suspend',
      subjectType: 'member',
      subjectId: before.id,
      before: before.suspendedAt && { reason: before.suspensionReason },
      after: { reason: message },
    })
  })
  // Clears the permissions to hear audio, which every process caches for some seconds.
  await libraryChanged(db)
}

/** Lifts a suspension; does nothing without one. Throws `not_found`. */
export async function liftSuspension(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await requireMember(tx, id)
    const lifted = await tx
      .update(users)
      .set({ suspendedAt: null, suspensionReason: null })
      .where(and(eq(users.id, before.id), isNotNull(users.suspendedAt)))
      .returning({ id: users.id })
    if (lifted.length === 0) return
    await recordChange(tx, by, {
      action: 'lift suspension',
      subjectType: 'member',
      subjectId: before.id,
      before: { reason: before.suspensionReason },
    })
  })
}

/** Ends all sessions of a member, private feeds, and other access to the account. Throws `not_found`. */
export async function signOutEverywhere(db: Database, id: string, by: string): Promise<Ended> {
  const ended = await db.transaction(async (tx) => {
    const member = await requireMember(tx, id)
    const gone = await endAccess(tx, member.id, 'sign-out')
    await recordChange(tx, by, { action: 'sign out', subjectType: 'member', subjectId: member.id })
    return gone
  })
  await libraryChanged(db)
  return ended
}

/** The message that a suspended member sees at sign-in. */
export function suspensionWords(reason: string | null): string {
  const why = reason ? ` ${reason}${/[.?!…]$/.test(reason) ? '' : '.'}` : ''
  return `Your account is suspended at the moment.${why} If this looks like a mistake to you, please write to us.`
}
