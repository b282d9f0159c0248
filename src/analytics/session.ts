import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { analyticsLinks, trackingSessions } from '#db/schema'

export type SessionStart = {
  anonId: string
  userAgent: string | null
  locale: string | null
  referrer: string | null
  utm: Record<string, string> | null
  ipHash: string
}

/** Opens a tracking session for a visitor who consents. Returns its id. */
export async function openTrackingSession(db: Database, arrival: SessionStart): Promise<string> {
  const sessionId = randomBytes(16).toString('base64url')
  await db.insert(trackingSessions).values({ ...arrival, sessionId, consent: true, dnt: false })
  return sessionId
}

/** Extends a session on a heartbeat, if it is this visitor's. Returns whether it is. */
export async function extendTrackingSession(
  db: Database,
  sessionId: string,
  anonId: string,
): Promise<boolean> {
  const rows = await db
    .update(trackingSessions)
    .set({ lastSeen: sql`now()` })
    .where(and(eq(trackingSessions.sessionId, sessionId), eq(trackingSessions.anonId, anonId)))
    .returning({ id: trackingSessions.id })
  return rows.length > 0
}

/** Withdraws consent in the visitor's sessions. Earlier events stay, and no later ones will be linked to them. */
export async function endTracking(db: Database, anonId: string): Promise<void> {
  await db.update(trackingSessions).set({ consent: false }).where(eq(trackingSessions.anonId, anonId))
}

/** Links a visitor to the member who signed in. The next rollup assigns the earlier events to the member. */
export async function linkVisitor(db: Executor, anonId: string, userId: string): Promise<void> {
  await db
    .insert(analyticsLinks)
    .values({ anonId, userId })
    .onConflictDoUpdate({ target: analyticsLinks.anonId, set: { userId, linkedAt: sql`now()` } })
}
