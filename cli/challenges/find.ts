import type { Database } from '#db/db'
import { findChallenge, missingChallenge, requireChallengeId } from '#src/challenge/queries'
import { type Challenge, challengeTextNames, challengeTexts } from '#src/challenge/schema'
import { recordOf } from '#src/shape/pick'
import { findItemId } from '#src/story/find-item-id'

export const challengeArg = {
  challenge: { type: 'positional', description: "The challenge's name or id", required: true },
} as const

/** Options for the description of a challenge. */
export const textFlags = recordOf(
  challengeTextNames,
  (name) => ({ type: 'string', description: challengeTexts[name].description }) as const,
)

/** Throws `not_found`. */
export async function requireOne(db: Database, idOrName: string): Promise<Challenge> {
  const challenge = await findChallenge(db, await requireChallengeId(db, idOrName))
  if (!challenge) throw missingChallenge()
  return challenge
}

/**
 * Ids of the days' items, from slugs or ids. An unknown name is passed on unchanged: the verb's error names its day.
 */
export function itemIds(db: Database, items: readonly string[]): Promise<string[]> {
  return Promise.all(items.map(async (item) => (await findItemId(db, item)) ?? item))
}
