import { and, eq, sql } from 'drizzle-orm'
import { type Database, isUniqueViolation, type Transaction } from '#db/db'
import { identities, users } from '#db/schema'
import { requireMember } from '#src/member/find-member'
import { writeNotice } from '#src/member/notice'
import { requireOpenDoor } from '#src/member/register'
import type { Member } from '#src/member/session'
import { suspensionWords } from '#src/member/suspend'
import { askToVerify } from '#src/member/verify-email'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import type { Person } from './person'
import { type Provider, providerLabels } from './rules'

type LetterParts = Pick<Parts, 'db' | 'env' | 'secrets'>

/**
 * The member whom a provider's account opens, made where it opens none yet. Never joined by an e-mail: who owns
 * the account there has not shown to own the one here. Throws `already_exists` with a way on, `suspended`,
 * `forbidden`, `throttled`.
 */
export async function enterWith(
  parts: LetterParts,
  person: Person,
  addressHash: string,
): Promise<{ member: Member; isNew: boolean }> {
  const known = await findByIdentity(parts.db, person)
  if (known) return { member: known, isNew: false }
  if (person.email && (await isKnownEmail(parts.db, person.email))) throw emailIsTaken(person.provider)
  await requireOpenDoor(parts.db, addressHash)
  try {
    const member = await makeMember(parts.db, person)
    if (!person.isEmailVerified) await askToVerify(parts, member)
    return { member, isNew: true }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The same answer came twice at once, or somebody joined with this e-mail in between.
    const made = await findByIdentity(parts.db, person)
    if (!made) throw emailIsTaken(person.provider)
    return { member: made, isNew: false }
  }
}

/**
 * Adds a provider's account to a member's ways in, and says so by mail. Throws `conflict` where it opens another,
 * or one is linked.
 */
export async function linkIdentity(parts: LetterParts, memberId: string, person: Person): Promise<void> {
  const { db } = parts
  const label = providerLabels[person.provider]
  const { provider, subject, email } = person
  const isMade = await db.transaction(async (tx) => {
    const made = await tx
      .insert(identities)
      .values({ userId: memberId, provider, subject, email })
      .onConflictDoNothing()
      .returning({ id: identities.id })
    if (made.length > 0) await writeNotice({ ...parts, db: tx }, memberId, 'linked')
    return made.length > 0
  })
  if (isMade) return
  const [same] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (same?.userId === memberId) return
  throw new Refusal(
    'conflict',
    same
      ? `This ${label} account opens another account here. Sign in with it there, and unlink it first.`
      : `Another ${label} account is linked already. Unlink it first.`,
  )
}

/**
 * Takes a provider away from a member's ways in, and says so by mail. Throws `not_found`, and `conflict` for the last
 * way in.
 */
export async function unlinkIdentity(
  parts: LetterParts,
  memberId: string,
  provider: Provider,
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, memberId)).for('update')
    const removed = await tx
      .delete(identities)
      .where(and(eq(identities.userId, memberId), eq(identities.provider, provider)))
      .returning({ id: identities.id })
    if (removed.length === 0)
      throw new Refusal('not_found', `${providerLabels[provider]} is not linked to your account.`)
    await requireWayIn(tx, memberId)
    await tx
      .update(users)
      .set({ oauthProvider: null, oauthSub: null })
      .where(and(eq(users.id, memberId), eq(users.oauthProvider, provider)))
    await writeNotice({ ...parts, db: tx }, memberId, 'unlinked')
  })
}

/** Throws `conflict` where nothing would open the account any longer. */
export async function requireWayIn(tx: Transaction, memberId: string): Promise<void> {
  const [row] = await tx.execute<{ isOpen: boolean }>(sql`
    select exists (select 1 from users where id = ${memberId}::uuid and password is not null)
      or exists (select 1 from identities where user_id = ${memberId}::uuid)
      or exists (select 1 from passkeys where user_id = ${memberId}::uuid) as "isOpen"`)
  if (!row?.isOpen)
    throw new Refusal(
      'conflict',
      'This is the only way into your account. Choose a password first ("Forgotten password?" sends a letter), or link another.',
    )
}

async function findByIdentity(db: Database, { provider, subject }: Person): Promise<Member | null> {
  const [row] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (!row) return null
  const { suspendedAt, suspensionReason, ...member } = await requireMember(db, row.userId)
  if (suspendedAt) throw new Refusal('suspended', suspensionWords(suspensionReason))
  return member
}

async function isKnownEmail(db: Database, email: string): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return rows.length > 0
}

async function makeMember(db: Database, person: Person): Promise<Member> {
  const { provider, subject, email, isEmailVerified, firstName, lastName } = person
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(users)
      .values({
        email,
        emailVerifiedAt: isEmailVerified ? new Date() : null,
        firstName,
        lastName,
        oauthProvider: provider,
        oauthSub: subject,
      })
      .returning({ id: users.id })
    if (!made) throw new Error('The insert answered no row.')
    await tx.insert(identities).values({ userId: made.id, provider, subject, email })
    const { suspendedAt: _, suspensionReason: __, ...member } = await requireMember(tx, made.id)
    return member
  })
}

function emailIsTaken(provider: Provider): Refusal {
  return new Refusal(
    'already_exists',
    `There is an account with this email already. Sign in the way you did before, then link ${providerLabels[provider]} in Settings.`,
  )
}
