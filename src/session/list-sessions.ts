import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { sessions } from '#db/schema'
import { deviceWords } from './device-words'

/** More are not shown; all of them end with "sign out elsewhere". */
const shownMax = 50

/** A member's open sessions, the last used first. `sid` is the requesting session, where it is one of them. */
export async function listSessions(db: Executor, userId: string, sid: string | null = null) {
  const rows = await db
    .select({ sid: sessions.sid, data: sessions.sess, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.kind, 'member'), gt(sessions.expire, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(shownMax)
  return rows.map((row) => ({
    // A public id: too short a prefix of its hash to identify the cookie.
    id: row.sid.slice(0, 16),
    device: deviceWords(row.data.userAgent),
    startedAt: row.data.startedAt,
    lastSeenAt: row.lastSeenAt.toISOString(),
    isCurrent: row.sid === sid,
  }))
}
