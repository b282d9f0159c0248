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

/**
 * The ranking of all items in plain TypeScript, which the tests compare the database's with. The formulas and their
 * sources are in score.ts.
 */

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

/** The items of a window by score, the best first; equal scores by quality, views, then the younger item. */
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

/** The lower bound of the share of upvotes at 95 % confidence; 0 without votes. */
export function wilsonBound({ upvotes, downvotes }: Pick<Activity, 'upvotes' | 'downvotes'>): number {
  const n = upvotes + downvotes
  if (n === 0) return 0
  const share = upvotes / n
  const z2 = wilsonZ * wilsonZ
  const spread = wilsonZ * Math.sqrt((share * (1 - share) + z2 / (4 * n)) / n)
  return share * (share / (share + z2 / (2 * n) + spread))
}

/** The mean of an item's ratings, from 1 to 5, drawn towards the library's mean while they are few. */
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
