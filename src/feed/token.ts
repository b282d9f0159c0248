import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { feedTokens, users } from '#db/schema'
import { randomToken, sha256 } from '#src/keyed-hash'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'
import type { FeedAddresses, FeedState } from './schema'

/** Makes a member's feeds, told once; those of an earlier key end. */
export async function makeFeeds(
  { db, env }: Pick<Parts, 'db' | 'env'>,
  userId: string,
): Promise<FeedAddresses> {
  const token = randomToken()
  const kept = { tokenHash: sha256(token), createdAt: sql`now()`, lastUsedAt: null }
  await db
    .insert(feedTokens)
    .values({ userId, ...kept })
    .onConflictDoUpdate({ target: feedTokens.userId, set: kept })
  return {
    podcastUrl: env.publicUrl + urls.podcast(token),
    catalogueUrl: env.publicUrl + urls.catalogue(token),
  }
}

/** Ends a member's feeds: their addresses answer "not found" from now on. */
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

/** The member whose feeds a token opens; null for one that opens nothing, or whose member is suspended. */
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
