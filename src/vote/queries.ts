import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { itemTotals, storyFeedback, votes } from '#db/schema'
import type { VoteType } from './rules'

export type Ratings = { averageRating: number; totalRatings: number }

/** What everyone thinks of an item: the plain mean of its ratings (0 where there is none), and how many. */
export async function findRatings(db: Executor, storyId: string): Promise<Ratings> {
  const [row] = await db
    .select({ ratings: itemTotals.ratings, ratingSum: itemTotals.ratingSum })
    .from(itemTotals)
    .where(eq(itemTotals.storyId, storyId))
  return { averageRating: meanOf(row?.ratingSum ?? 0, row?.ratings ?? 0), totalRatings: row?.ratings ?? 0 }
}

/** A plain mean to two places. */
export function meanOf(sum: number, count: number): number {
  return count > 0 ? Math.round((sum / count) * 100) / 100 : 0
}

export type Opinion = Ratings & {
  voteType: VoteType
  rating: number | null
  comments: string
  tags: string[]
}

/** What a member (null: a visitor, who has none) said of an item, and what all ratings come to. */
export async function findOpinion(db: Executor, memberId: string | null, storyId: string): Promise<Opinion> {
  const [ratings, mine] = await Promise.all([
    findRatings(db, storyId),
    memberId === null ? [] : findMine(db, memberId, storyId),
  ])
  const [row] = mine
  return {
    ...ratings,
    voteType: row?.voteType ?? 'none',
    rating: row?.rating ?? null,
    comments: row?.comments ?? '',
    tags: row?.tags ?? [],
  }
}

function findMine(db: Executor, memberId: string, storyId: string) {
  return db
    .select({
      voteType: votes.voteType,
      rating: storyFeedback.rating,
      comments: storyFeedback.comments,
      tags: storyFeedback.tags,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(votes, and(eq(votes.storyId, storyId), eq(votes.userId, memberId)))
    .leftJoin(storyFeedback, and(eq(storyFeedback.storyId, storyId), eq(storyFeedback.userId, memberId)))
    .limit(1)
}

/** Which way a member voted on some items. */
export async function findVotes(
  db: Executor,
  memberId: string,
  storyIds: readonly string[],
): Promise<Map<string, VoteType>> {
  if (storyIds.length === 0) return new Map()
  const rows = await db
    .select({ storyId: votes.storyId, voteType: votes.voteType })
    .from(votes)
    .where(and(eq(votes.userId, memberId), sql`${votes.storyId} = any(${`{${storyIds.join(',')}}`}::uuid[])`))
  return new Map(rows.map((row) => [row.storyId, row.voteType]))
}

/** What members told the studio about an item, the newest first; who they are is not told. */
export async function listFeedback(db: Executor, storyId: string, limit: number) {
  const rows = await db
    .select()
    .from(storyFeedback)
    .where(
      and(
        eq(storyFeedback.storyId, storyId),
        or(isNotNull(storyFeedback.rating), isNotNull(storyFeedback.comments)),
      ),
    )
    .orderBy(desc(storyFeedback.createdAt), desc(storyFeedback.id))
    .limit(limit)
  return rows.map(({ id, rating, comments, tags, createdAt }) => ({
    id,
    rating,
    comments: comments ?? '',
    tags,
    createdAt: createdAt.toISOString(),
  }))
}
