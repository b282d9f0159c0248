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

/** Finds a challenge by id or name. Throws `not_found`. */
export async function requireOne(db: Database, idOrName: string): Promise<Challenge> {
  const challenge = await findChallenge(db, await requireChallengeId(db, idOrName))
  if (!challenge) throw missingChallenge()
  return challenge
}

/**
 * Returns the ids of the days' items, given slugs or ids. An unknown name is returned unchanged, so that the error of
 * the API can name its day.
 */
export function itemIds(db: Database, items: readonly string[]): Promise<string[]> {
  return Promise.all(items.map(async (item) => (await findItemId(db, item)) ?? item))
}
