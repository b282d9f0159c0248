import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { itemTotals, stories, storyFeedback, votes } from '#db/schema'
import type { VoteType } from './rules'
import { meanOf } from './rules'
import type { VoteSums } from './schema'

export type Ratings = { averageRating: number; totalRatings: number }

/** Finds the plain mean of an item's ratings (0 if there are none), and their number. */
export async function findRatings(db: Executor, storyId: string): Promise<Ratings> {
  const [row] = await db
    .select({ ratings: itemTotals.ratings, ratingSum: itemTotals.ratingSum })
    .from(itemTotals)
    .where(eq(itemTotals.storyId, storyId))
  return { averageRating: meanOf(row?.ratingSum ?? 0, row?.ratings ?? 0), totalRatings: row?.ratings ?? 0 }
}

export type Opinion = Ratings & {
  voteType: VoteType
  rating: number | null
  comments: string
  tags: string[]
}

/** Finds a member's rating of an item (for a null member, a visitor, there is none), and the sums of all ratings. */
export async function findOpinion(db: Executor, memberId: string | null, storyId: string): Promise<Opinion> {
  const [row] = await opinionQuery(db).execute({ memberId, storyId })
  return {
    averageRating: meanOf(row?.ratingSum ?? 0, row?.ratings ?? 0),
    totalRatings: row?.ratings ?? 0,
    voteType: row?.voteType ?? 'none',
    rating: row?.rating ?? null,
    comments: row?.comments ?? '',
    tags: row?.tags ?? [],
  }
}

const opinionQuery = prepareOnce((db) => {
  const [memberId, storyId] = [sql.placeholder('memberId'), sql.placeholder('storyId')]
  return db
    .select({
      ratings: itemTotals.ratings,
      ratingSum: itemTotals.ratingSum,
      voteType: votes.voteType,
      rating: storyFeedback.rating,
      comments: storyFeedback.comments,
      tags: storyFeedback.tags,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(itemTotals, eq(itemTotals.storyId, storyId))
    .leftJoin(votes, and(eq(votes.storyId, storyId), eq(votes.userId, memberId)))
    .leftJoin(storyFeedback, and(eq(storyFeedback.storyId, storyId), eq(storyFeedback.userId, memberId)))
    .limit(1)
    .prepare('opinion')
})

/** Finds the present votes on some items, and a member's own (for a null member, a visitor, there are none). */
export async function findVotes(
  db: Executor,
  memberId: string | null,
  storyIds: readonly string[],
): Promise<Map<string, VoteSums>> {
  if (storyIds.length === 0) return new Map()
  const rows = await votesQuery(db).execute({ memberId, storyIds: `{${storyIds.join(',')}}` })
  return new Map(
    rows.map(({ id, voteType, ...sums }) => [id, { voteType: voteType ?? 'none', ...sums }] as const),
  )
}

const votesQuery = prepareOnce((db) =>
  db
    .select({
      id: stories.id,
      upvotes: stories.upvotes,
      downvotes: stories.downvotes,
      voteType: votes.voteType,
    })
    .from(stories)
    .leftJoin(votes, and(eq(votes.storyId, stories.id), eq(votes.userId, sql.placeholder('memberId'))))
    .where(sql`${stories.id} = any(${sql.placeholder('storyIds')}::uuid[])`)
    .prepare('votes'),
)

/** Lists members' comments on an item, the newest first, without names. */
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
