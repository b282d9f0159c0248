import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { feedTokens, users } from '#db/schema'
import { randomToken, sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import type { SignedIn } from '#src/session/schema'
import { lockSession } from '#src/session/session'
import type { FeedAddresses, FeedState } from './schema'
import { feedUrls } from './urls'

/**
 * Creates the addresses of a member's feeds, which are shown only once, and revokes earlier ones. Throws
 * `sign_in_required`.
 */
export async function makeFeeds(
  { db, env }: Pick<Services, 'db' | 'env'>,
  member: SignedIn,
): Promise<FeedAddresses> {
  const token = randomToken()
  const row = { tokenHash: sha256(token), createdAt: sql`now()`, lastUsedAt: null }
  await db.transaction(async (tx) => {
    await lockSession(tx, member)
    await tx
      .insert(feedTokens)
      .values({ userId: member.id, ...row })
      .onConflictDoUpdate({ target: feedTokens.userId, set: row })
  })
  return {
    podcastUrl: env.publicUrl + feedUrls.podcast(token),
    catalogueUrl: env.publicUrl + feedUrls.catalogue(token),
  }
}

/** Revokes a member's feeds: their addresses respond with "not found" from now on. */
export async function endFeeds(db: Database, userId: string): Promise<void> {
  await db.delete(feedTokens).where(eq(feedTokens.userId, userId))
}

export async function findFeeds(db: Executor, userId: string): Promise<FeedState> {
  const [row] = await db.select().from(feedTokens).where(eq(feedTokens.userId, userId))
  return {
    isOn: row !== undefined,
    createdAt: row?.createdAt.toISOString() ?? null,
    lastUsedAt: row?.lastUsedAt?.toISOString() ?? null,
  }
}

/** Finds the member of a feed token; null for an unknown token, or if the member is suspended. */
export async function findFeedOwner(db: Database, token: string): Promise<string | null> {
  const tokenHash = sha256(token)
  const [row] = await db
    .select({ userId: feedTokens.userId, lastUsedAt: feedTokens.lastUsedAt })
    .from(feedTokens)
    .innerJoin(users, eq(users.id, feedTokens.userId))
    .where(and(eq(feedTokens.tokenHash, tokenHash), isNull(users.suspendedAt)))
  if (!row) return null
  const thisHour = sql`date_trunc('hour', now())`
  if (!row.lastUsedAt || Date.now() - row.lastUsedAt.getTime() > 3_600_000)
    await db.update(feedTokens).set({ lastUsedAt: thisHour }).where(eq(feedTokens.tokenHash, tokenHash))
  return row.userId
}
