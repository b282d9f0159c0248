import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { sessions, userSettings, users } from '#db/schema'
import type { SessionData } from '#db/tables/member'
import { AppError } from '#src/app-error'
import {
  memberSessionSeconds,
  operatorIdleSeconds,
  operatorSessionSeconds,
  sessionTouchSeconds,
} from '#src/member/rules'
import { randomToken, sha256 } from '#src/security/keyed-hash'
import type { NeverShown } from '#src/story/schema'
import type { Member, SessionKind, SignedIn } from './schema'

export type Session = {
  sid: string
  kind: SessionKind
  data: SessionData
  member: Member | null
  /** Whether this use has extended the session. */
  isExtended: boolean
  /** The member's hidden categories and words; null for none. */
  neverShown: NeverShown | null
  isDiscreet: boolean
  /** Whether the member has a PIN. */
  hasPin: boolean
}

/** Opens a session and returns its token: 32 random bytes, of which only the SHA-256 is stored. */
export async function openSession(
  db: Executor,
  session: {
    kind: SessionKind
    userId?: string
    operatorName?: string
    tokenFingerprint?: string
    userAgent: string
    addressHash: string
  },
): Promise<string> {
  const token = randomToken()
  const { kind, userId, operatorName, tokenFingerprint, userAgent, addressHash } = session
  await db.insert(sessions).values({
    sid: sha256(token),
    kind,
    userId: userId ?? null,
    sess: {
      userId,
      operatorName,
      tokenFingerprint,
      userAgent: userAgent.slice(0, 300),
      addressHash,
      startedAt: new Date().toISOString(),
    },
    expire: sql`now() + make_interval(secs => ${kind === 'member' ? memberSessionSeconds : operatorIdleSeconds})`,
  })
  return token
}

/**
 * Finds the session of a token until it expires, and extends it; null if there is none. An operator's session is valid
 * only with the operator token that it was opened with, so the present token's fingerprint has to be given.
 */
export async function findSession(
  db: Executor,
  kind: SessionKind,
  token: string,
  tokenFingerprint: string | null = null,
): Promise<Session | null> {
  const sid = sha256(token)
  const [row] = await sessionQuery(db).execute({ sid, kind, tokenFingerprint })
  if (!row || (kind === 'member' && !row.member)) return null
  if (row.isDue) await extendSession(db, kind, sid)
  return {
    sid,
    kind,
    data: row.data,
    member: row.member,
    isExtended: row.isDue,
    neverShown: neverShownOf(row.settings),
    isDiscreet: row.settings?.discreetMode ?? false,
    hasPin: row.hasPin,
  }
}

const sessionQuery = prepareOnce((db) =>
  db
    .select({
      data: sessions.sess,
      isDue: sql<boolean>`${sessions.lastSeenAt} < now() - make_interval(secs => ${sessionTouchSeconds})`,
      hasPin: sql<boolean>`${users.pinHash} is not null`,
      member: {
        id: users.id,
        email: users.email,
        firstName: users.firstName,
        lastName: users.lastName,
        createdAt: users.createdAt,
        oauthProvider: users.oauthProvider,
      },
      settings: {
        hiddenCategories: userSettings.hiddenCategories,
        hiddenWords: userSettings.hiddenWords,
        discreetMode: userSettings.discreetMode,
      },
    })
    .from(sessions)
    .leftJoin(users, and(eq(users.id, sessions.userId), isNull(users.suspendedAt)))
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(
      and(
        eq(sessions.sid, sql.placeholder('sid')),
        eq(sessions.kind, sql.placeholder('kind')),
        gt(sessions.expire, sql`now()`),
        or(
          eq(sessions.kind, 'member'),
          sql`${sessions.sess}->>'tokenFingerprint' = ${sql.placeholder('tokenFingerprint')}::text`,
        ),
      ),
    )
    .prepare('session'),
)

function neverShownOf(
  settings: { hiddenCategories: string[]; hiddenWords: string[] } | null,
): NeverShown | null {
  if (!settings || settings.hiddenCategories.length + settings.hiddenWords.length === 0) return null
  return { categories: settings.hiddenCategories, words: settings.hiddenWords }
}

/** Extends a session by its idle time; an operator's never past its maximum length. */
async function extendSession(db: Executor, kind: SessionKind, sid: string): Promise<void> {
  const expire =
    kind === 'member'
      ? sql`now() + make_interval(secs => ${memberSessionSeconds})`
      : sql`least(now() + make_interval(secs => ${operatorIdleSeconds}), (sess->>'startedAt')::timestamptz + make_interval(secs => ${operatorSessionSeconds}))`
  await db.update(sessions).set({ lastSeenAt: sql`now()`, expire }).where(eq(sessions.sid, sid))
}

/**
 * Locks a member's row until the transaction ends. Transactions that give or end access lock the member first, then the
 * session, then everything else, so that no two of them wait for each other. Others, such as a sign-out or a saved
 * position, do not: see `endAccess` and `deleteMember`. A foreign key to the member locks the row too, so a transaction
 * that inserts such a row after others begins with a `key share`.
 */
export async function lockMemberRow(
  tx: Transaction,
  id: string,
  strength: 'update' | 'share' | 'key share',
): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for(strength)
}

/**
 * Locks the member and the session of a request until the transaction ends. Code that ends the account's access at the
 * same time waits for it, and then finds what the request has added. Throws `sign_in_required` if the session
 * has ended since the request arrived.
 */
export async function lockSession(tx: Transaction, { id, sid }: SignedIn): Promise<void> {
  await lockMemberRow(tx, id, 'key share')
  const [held] = await tx
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(and(eq(sessions.sid, sid ?? ''), eq(sessions.userId, id)))
    .for('key share')
  if (!held) throw sessionHasEnded()
}

/**
 * Locks a member, and the session of the request, until the transaction ends, for changes that must not run twice at
 * once. Two concurrent removals of a sign-in method would each see the other's remain; two requests for another email
 * would not void each other's link. Throws what `lockSession` throws.
 */
export async function lockMember(tx: Transaction, member: SignedIn): Promise<void> {
  await lockMemberRow(tx, member.id, 'update')
  await lockSession(tx, member)
}

export function sessionHasEnded(): AppError {
  return new AppError('sign_in_required', 'Your session has ended. Sign in to do this.')
}

export async function closeSession(db: Executor, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.sid, sha256(token)))
}

/** Removes expired sessions. */
export async function pruneSessions(db: Executor): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.expire} < now()`)
}
