import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { sessions } from '#db/schema'
import { deviceWords } from './device-words'

/** Maximum number of listed sessions; "sign out elsewhere" ends all of them. */
const shownMax = 50

/** Lists a member's open sessions, the last used first. `sid` is the requesting session, if it is one of them. */
export async function listSessions(db: Executor, userId: string, sid: string | null = null) {
  const rows = await db
    .select({ sid: sessions.sid, data: sessions.sess, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.kind, 'member'), gt(sessions.expire, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(shownMax)
  return rows.map((row) => ({
    // The public id of a session: a prefix of its hash, too short to find the cookie by.
    id: row.sid.slice(0, 16),
    device: deviceWords(row.data.userAgent),
    startedAt: row.data.startedAt,
    lastSeenAt: row.lastSeenAt.toISOString(),
    isCurrent: row.sid === sid,
  }))
}
