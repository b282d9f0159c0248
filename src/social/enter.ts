import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { identities, users } from '#db/schema'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { suspensionWords } from '#src/member/console/suspend'
import { askToVerify } from '#src/member/email/verify-email'
import { requireMember } from '#src/member/find-member'
import type { Proof } from '#src/member/settings/account-schema'
import { requirePresence } from '#src/member/settings/require-presence'
import { writeNotice } from '#src/member/sign-in/notice'
import { requireOpenRegistration } from '#src/member/sign-in/register'
import type { Verified } from '#src/member/sign-in/sign-in'
import type { Services } from '#src/services'
import type { Member, SignedIn } from '#src/session/schema'
import { lockMember, lockSession } from '#src/session/session'
import type { Person } from './person'
import { type Provider, providerLabels, providers } from './rules'

type MailServices = Pick<Services, 'db' | 'env' | 'secrets'>

/**
 * Returns the member of a provider's account, and creates one if there is none. Accounts are never matched by email:
 * the owner of the provider's account has not proved to own the one here. Throws `already_exists` with a way on,
 * `suspended`, `forbidden`, `throttled`.
 */
export async function enterWith(
  services: MailServices,
  person: Person,
  addressHash: string,
): Promise<Verified & { isNew: boolean }> {
  const isStillOpen = opens(person)
  const known = await findByIdentity(services.db, person)
  if (known) return { member: known, isStillOpen, isNew: false }
  if (person.email && (await isKnownEmail(services.db, person.email))) throw emailIsTaken(person.provider)
  await requireOpenRegistration(services.db, addressHash)
  try {
    const member = await makeMember(services.db, person)
    if (!person.isEmailVerified) await askToVerify(services, member)
    return { member, isStillOpen, isNew: true }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The same answer arrived twice at once, or an account with this email was created meanwhile.
    const made = await findByIdentity(services.db, person)
    if (!made) throw emailIsTaken(person.provider)
    return { member: made, isStillOpen, isNew: false }
  }
}

/**
 * Links a provider's account to a member, and mails a notice. Throws `conflict` if it is linked to another member, or
 * the member has one already.
 */
export async function linkIdentity(services: MailServices, member: SignedIn, person: Person): Promise<void> {
  const { db } = services
  const label = providerLabels[person.provider]
  const { provider, subject, email } = person
  const isMade = await db.transaction(async (tx) => {
    await lockSession(tx, member)
    const made = await tx
      .insert(identities)
      .values({ userId: member.id, provider, subject, email })
      .onConflictDoNothing()
      .returning({ id: identities.id })
    if (made.length > 0) await writeNotice({ ...services, db: tx }, member.id, 'linked')
    return made.length > 0
  })
  if (isMade) return
  const [same] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (same?.userId === member.id) return
  throw new AppError(
    'conflict',
    same
      ? `This ${label} account is linked to another account here. Sign in to that one, and unlink it first.`
      : `Another ${label} account is already linked. Unlink it first.`,
  )
}

/**
 * Unlinks a provider from a member after a proof of presence, and mails a notice. Throws what `requirePresence` throws,
 * `not_found`, `conflict` for the last sign-in method, and `sign_in_required`.
 */
export async function unlinkIdentity(
  services: MailServices,
  member: SignedIn,
  { provider, ...proof }: Proof & { provider: Provider },
): Promise<void> {
  const { id: memberId } = member
  await requirePresence(services.db, member, proof, 'remove')
  await services.db.transaction(async (tx) => {
    await lockMember(tx, member)
    const removed = await tx
      .delete(identities)
      .where(and(eq(identities.userId, memberId), eq(identities.provider, provider)))
      .returning({ id: identities.id })
    if (removed.length === 0)
      throw new AppError('not_found', `${providerLabels[provider]} is not linked to your account.`)
    await requireSignInMethod(tx, services.env, memberId)
    await tx
      .update(users)
      .set({ oauthProvider: null, oauthSub: null })
      .where(and(eq(users.id, memberId), eq(users.oauthProvider, provider)))
    await writeNotice({ ...services, db: tx }, memberId, 'unlinked')
  })
}

/**
 * Throws `conflict` if no sign-in method would remain. An account at a provider that the operator no longer offers is
 * none.
 */
export async function requireSignInMethod(
  tx: Transaction,
  { social }: Pick<Env, 'social'>,
  memberId: string,
): Promise<void> {
  const offered = providers.filter((each) => social[each])
  const [row] = await tx.execute<{ isOpen: boolean }>(sql`
    select exists (select 1 from users where id = ${memberId}::uuid and password is not null)
      or exists (select 1 from identities where user_id = ${memberId}::uuid and ${inArray(identities.provider, offered)})
      or exists (select 1 from passkeys where user_id = ${memberId}::uuid) as "isOpen"`)
  if (!row?.isOpen)
    throw new AppError(
      'conflict',
      'This is the only way to sign in to your account. Choose a password first ("Forgotten password?" sends a mail), or link another.',
    )
}

/** Condition on `users` that a provider's account is linked to the member. */
function opens({ provider, subject }: Person): SQL {
  return sql`exists (
    select from identities where provider = ${provider} and subject = ${subject} and user_id = ${users.id})`
}

async function findByIdentity(db: Database, { provider, subject }: Person): Promise<Member | null> {
  const [row] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (!row) return null
  const { suspendedAt, suspensionReason, ...member } = await requireMember(db, row.userId)
  if (suspendedAt) throw new AppError('suspended', suspensionWords(suspensionReason))
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

function emailIsTaken(provider: Provider): AppError {
  return new AppError(
    'already_exists',
    `There is already an account with this email. Sign in the way you did before, then link ${providerLabels[provider]} in Settings.`,
  )
}
