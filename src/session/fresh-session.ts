import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { sessions } from '#db/schema'
import { freshSeconds } from '#src/member/rules'

/**
 * Whether the member signed in on this device within the last ten minutes. An unlocked phone on a table must not be
 * enough to change the sign-in methods.
 */
export async function isFreshSession(db: Executor, sid: string | null): Promise<boolean> {
  if (sid === null) return false
  const [row] = await db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(
      and(
        eq(sessions.sid, sid),
        sql`(${sessions.sess}->>'startedAt')::timestamptz > now() - make_interval(secs => ${freshSeconds})`,
      ),
    )
  return row !== undefined
}
