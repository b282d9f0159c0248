import type { Database } from '#db/db'
import { findChallenge, missingChallenge, requireChallengeId } from '#src/challenge/queries'
import type { Challenge } from '#src/challenge/schema'
import { findItemId } from '#src/story/find-item-id'

export const challengeArg = {
  challenge: { type: 'positional', description: "The challenge's name or id", required: true },
} as const

/** Throws `not_found`. */
export async function requireOne(db: Database, idOrName: string): Promise<Challenge> {
  const challenge = await findChallenge(db, await requireChallengeId(db, idOrName))
  if (!challenge) throw missingChallenge()
  return challenge
}

/** The days' items by slug or id. What is neither stays as it is: the verb says which day it is. */
export function itemIds(db: Database, items: readonly string[]): Promise<string[]> {
  return Promise.all(items.map(async (item) => (await findItemId(db, item)) ?? item))
}
