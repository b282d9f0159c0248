import type { ItemType } from '#src/story/rules'
import {
  type ContentType,
  halfLifeShare,
  hotShare,
  isRising,
  meanRatingDefault,
  type Order,
  priorRatings,
  ratingHighest,
  ratingLowest,
  votesShare,
  type Window,
  wilsonZ,
} from './rules'

/** The ranking of all items in plain TypeScript, which the tests compare the database's with. */

/** The activity on an item: all votes and ratings, and the views in the window and in its last quarter. */
export type Activity = {
  id: string
  type: ItemType
  ageHours: number
  upvotes: number
  downvotes: number
  ratings: number
  ratingSum: number
  views: number
  lateViews: number
}

export type Ranked = Activity & { score: number; bayesianRating: number; isHot: boolean; isRising: boolean }

/**
 * The items of a window by score, the best first; equal scores by quality, views, then the younger item.
 *
 * score = quality × log10(1 + views in the window) × ½^(age ÷ half-life)
 * quality = half the Wilson bound of the votes, half the Bayesian mean of the ratings, each from 0 to 1
 *
 * The age is that of the item, capped at the window's length. Without the cap, older items would be weighed by ½^700
 * and could never return.
 */
export function rank(
  activities: readonly Activity[],
  window: Window,
  hours: number | null,
  libraryMean = meanRating(activities),
): Ranked[] {
  const ranked = activities.map((each) => {
    const bayesianRating = bayesianMean(each, libraryMean)
    const quality =
      votesShare * wilsonBound(each) +
      (1 - votesShare) * ((bayesianRating - ratingLowest) / (ratingHighest - ratingLowest))
    const score = quality * Math.log10(1 + each.views) * ageDecay(each.ageHours, hours)
    return { ...each, quality, score, bayesianRating, isHot: false, isRising: isRising(each, window) }
  })
  ranked.sort(
    (a, b) => b.score - a.score || b.quality - a.quality || b.views - a.views || a.ageHours - b.ageHours,
  )
  const scored = ranked.filter(({ score }) => score > 0).length
  return ranked.map(({ quality: _, ...each }, at) => ({
    ...each,
    isHot: at < Math.ceil(scored * hotShare) && each.score > 0,
  }))
}

/**
 * The lower bound of the share of upvotes at 95 % confidence (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927, 209–212; for
 * ranking: E. Miller, "How Not To Sort By Average Rating", 2009). 0 without votes.
 *
 * The bounds are the roots of (1 + z²/n)x² − (2p + z²/n)x + p² = 0. The lower one is computed from the product of the
 * roots and the upper one: the textbook formula subtracts two nearly equal numbers, which gives 2e-17 for the share 0.
 */
export function wilsonBound({ upvotes, downvotes }: Pick<Activity, 'upvotes' | 'downvotes'>): number {
  const n = upvotes + downvotes
  if (n === 0) return 0
  const share = upvotes / n
  const z2 = wilsonZ * wilsonZ
  const spread = wilsonZ * Math.sqrt((share * (1 - share) + z2 / (4 * n)) / n)
  return share * (share / (share + z2 / (2 * n) + spread))
}

/**
 * The mean of an item's ratings, from 1 to 5, drawn towards the library's mean while they are few: (C·m + Σ) ÷ (C + n),
 * which is IMDb's weighted rating of its Top 250.
 */
export function bayesianMean(
  { ratings, ratingSum }: Pick<Activity, 'ratings' | 'ratingSum'>,
  libraryMean: number,
): number {
  return (priorRatings * libraryMean + ratingSum) / (priorRatings + ratings)
}

/** The share of a score that remains at an age: ½ after half of the window, ¼ from its end on. */
export function ageDecay(ageHours: number, hours: number | null): number {
  if (hours === null) return 1
  return 0.5 ** (Math.min(Math.max(ageHours, 0), hours) / (hours * halfLifeShare))
}

function meanRating(activities: readonly Activity[]): number {
  const ratings = activities.reduce((sum, each) => sum + each.ratings, 0)
  const ratingSum = activities.reduce((sum, each) => sum + each.ratingSum, 0)
  return ratings > 0 ? ratingSum / ratings : meanRatingDefault
}

/** The ranked items of a type in an order. Top Rated omits items without ratings. */
export function inOrder(ranked: readonly Ranked[], type: ContentType, order: Order): Ranked[] {
  const those = type === 'all' ? ranked : ranked.filter((each) => each.type === type)
  if (order === 'trending') return [...those]
  if (order === 'most-viewed') return those.toSorted((a, b) => b.views - a.views || b.score - a.score)
  return those
    .filter(({ ratings }) => ratings > 0)
    .toSorted((a, b) => b.bayesianRating - a.bayesianRating || b.ratings - a.ratings || b.score - a.score)
}
