import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories, votes } from '#db/schema'
import { requireOpenItem } from '#src/story/require-item'
import { countOpinion } from './limit'
import type { VoteType } from './rules'
import type { VoteSums } from './schema'

/**
 * Sets, changes or (`none`) removes a member's vote on an item that they may open; the same vote again changes nothing.
 * Returns the sums after it. Throws `not_found` and `throttled`.
 */
export async function voteFor(
  db: Database,
  memberId: string,
  itemId: string,
  voteType: VoteType,
): Promise<VoteSums> {
  await countOpinion(db, memberId)
  const { id: storyId } = await requireOpenItem(db, memberId, itemId)
  if (voteType === 'none')
    await db.delete(votes).where(and(eq(votes.storyId, storyId), eq(votes.userId, memberId)))
  else
    await db
      .insert(votes)
      .values({ storyId, userId: memberId, voteType })
      .onConflictDoUpdate({
        target: [votes.storyId, votes.userId],
        set: { voteType, createdAt: sql`now()` },
        setWhere: sql`${votes.voteType} <> ${voteType}`,
      })
  const [sums] = await db
    .select({ upvotes: stories.upvotes, downvotes: stories.downvotes })
    .from(stories)
    .where(eq(stories.id, storyId))
  return { voteType, upvotes: sums?.upvotes ?? 0, downvotes: sums?.downvotes ?? 0 }
}
