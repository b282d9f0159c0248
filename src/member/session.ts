import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { sessions, userSettings, users } from '#db/schema'
import type { SessionData } from '#db/tables/member'
import { randomToken, sha256 } from '#src/keyed-hash'
import type { NeverShown } from '#src/story/never-shown'
import {
  memberSessionSeconds,
  operatorIdleSeconds,
  operatorSessionSeconds,
  sessionTouchSeconds,
} from './rules'

export type SessionKind = 'member' | 'operator'
export type Member = {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  createdAt: Date
  oauthProvider: string | null
}
export type Session = {
  sid: string
  kind: SessionKind
  data: SessionData
  member: Member | null
  /** This use moved its end forward. */
  isExtended: boolean
  /** What the member hides; null for who hides nothing. */
  neverShown: NeverShown | null
  isDiscreet: boolean
  /** A PIN is asked for on opening. */
  hasPin: boolean
}

/** Opens a session and answers its token: 32 random bytes, of which only the SHA-256 is stored. */
export async function openSession(
  db: Executor,
  session: {
    kind: SessionKind
    userId?: string
    operatorName?: string
    userAgent: string
    addressHash: string
  },
): Promise<string> {
  const token = randomToken()
  const { kind, userId, operatorName, userAgent, addressHash } = session
  await db.insert(sessions).values({
    sid: sha256(token),
    kind,
    userId: userId ?? null,
    sess: {
      userId,
      operatorName,
      userAgent: userAgent.slice(0, 300),
      addressHash,
      startedAt: new Date().toISOString(),
    },
    expire: sql`now() + make_interval(secs => ${kind === 'member' ? memberSessionSeconds : operatorIdleSeconds})`,
  })
  return token
}

/** The session of a token while it lasts, moved forward by its use; null where there is none. */
export async function findSession(db: Executor, kind: SessionKind, token: string): Promise<Session | null> {
  const sid = sha256(token)
  const [row] = await sessionQuery(db).execute({ sid, kind })
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

/** An operator's session slides by its idle time, but never past its whole length. */
async function extendSession(db: Executor, kind: SessionKind, sid: string): Promise<void> {
  const expire =
    kind === 'member'
      ? sql`now() + make_interval(secs => ${memberSessionSeconds})`
      : sql`least(now() + make_interval(secs => ${operatorIdleSeconds}), (sess->>'startedAt')::timestamptz + make_interval(secs => ${operatorSessionSeconds}))`
  await db.update(sessions).set({ lastSeenAt: sql`now()`, expire }).where(eq(sessions.sid, sid))
}

export async function closeSession(db: Executor, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.sid, sha256(token)))
}

/** Ends every session of a member but one: after a password change, or by "sign out elsewhere". */
export async function closeOtherSessions(
  db: Executor,
  userId: string,
  sidKept: string | null,
): Promise<void> {
  await db
    .delete(sessions)
    .where(
      and(eq(sessions.userId, userId), sidKept === null ? undefined : sql`${sessions.sid} <> ${sidKept}`),
    )
}

/** Removes what has expired. */
export async function pruneSessions(db: Executor): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.expire} < now()`)
}
