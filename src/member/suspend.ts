import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { users } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { tidyLine } from '#src/story/tidy-text'
import { requireMember } from './find-member'
import { closeOtherSessions } from './session'

/**
 * Keeps a member out: their sessions end at once, and signing in tells them the reason, which can be mended by
 * suspending again. Throws `not_found`, and `invalid` without a reason.
 */
export async function suspendMember(db: Database, id: string, reason: string, by: string): Promise<void> {
  const told = tidyLine(reason)
  if (told === '')
    throw new Refusal('invalid', 'Write a reason: the member is told it.', {
      fields: [{ path: 'reason', message: 'Write a reason: the member is told it.' }],
    })
  await db.transaction(async (tx) => {
    const before = await requireMember(tx, id)
    await tx
      .update(users)
      .set({ suspendedAt: sql`coalesce(${users.suspendedAt}, now())`, suspensionReason: told })
      .where(eq(users.id, before.id))
    await closeOtherSessions(tx, before.id, null)
    await recordChange(tx, by, {
      action: 'suspend',
      subjectType: 'member',
      subjectId: before.id,
      before: before.suspendedAt && { reason: before.suspensionReason },
      after: { reason: told },
    })
  })
  // What a session may hear is kept for a moment, in every process.
  await libraryChanged(db)
}

/** Lets a member in again; nothing happens where they are not suspended. Throws `not_found`. */
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

/** Ends all sessions of a member. Throws `not_found`. */
export async function signOutEverywhere(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await requireMember(tx, id)
    await closeOtherSessions(tx, member.id, null)
    await recordChange(tx, by, { action: 'sign out', subjectType: 'member', subjectId: member.id })
  })
  await libraryChanged(db)
}

/** What a suspended member reads at signing in. */
export function suspensionWords(reason: string | null): string {
  const why = reason ? ` ${reason}${/[.?!…]$/.test(reason) ? '' : '.'}` : ''
  return `Your account is suspended at the moment.${why} If this looks like a mistake to you, please write to us.`
}
