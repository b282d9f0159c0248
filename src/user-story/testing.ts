import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { challengeEnrolments, challengeFlows, challenges } from '#db/schema'

/** Creates a challenge of some flows in which a member enrolled today. */
export async function setChallenge(db: Executor, userId: string, storyIds: readonly string[]): Promise<void> {
  const challengeId = newId()
  await db.insert(challenges).values({
    id: challengeId,
    name: 'Ten quiet days',
    totalDays: storyIds.length,
    publishedAt: new Date(),
  })
  await db
    .insert(challengeFlows)
    .values(storyIds.map((storyId, at) => ({ challengeId, day: at + 1, storyId })))
  await db
    .insert(challengeEnrolments)
    .values({ challengeId, userId, startedOn: new Date().toISOString().slice(0, 10) })
}
