import type { ItemType } from '#src/story/rules'

/** The formula of the ranking and each of its numbers. Pure and browser-safe. */

export const timeframes = ['24h', '7d', '30d', 'all'] as const
export type Timeframe = (typeof timeframes)[number]
export const timeframeDefault: Timeframe = '7d'
/** All Time has no preceding period: nothing in it ages or rises. */
export const timeframeHours: Record<Timeframe, number | null> = {
  '24h': 24,
  '7d': 168,
  '30d': 720,
  all: null,
}
export const timeframeNames: Record<Timeframe, string> = {
  '24h': 'Last 24 Hours',
  '7d': 'Last 7 Days',
  '30d': 'Last 30 Days',
  all: 'All Time',
}

export const contentTypes = ['all', 'story', 'flow'] as const
export type ContentType = (typeof contentTypes)[number]
export const contentTypeNames: Record<ContentType, string> = {
  all: 'All Content',
  story: 'Stories Only',
  flow: 'Flows Only',
}

export const orders = ['trending', 'top-rated', 'most-viewed'] as const
export type Order = (typeof orders)[number]
export const orderNames: Record<Order, string> = {
  trending: 'Trending',
  'top-rated': 'Top Rated',
  'most-viewed': 'Most Viewed',
}

/** The quantile of the normal distribution for 95 % confidence. */
const wilsonZ = 1.96
/** Each item begins with so many ratings at the library's own mean: one five alone proves little. */
const priorRatings = 10
/** The middle of the scale, for a library without ratings. */
const meanRatingDefault = 3
const [ratingLowest, ratingHighest] = [1, 5]
/** Votes and ratings say the same in two ways, and weigh the same. */
const votesShare = 0.5
/** An item loses half of its score in half of the window. */
export const halfLifeShare = 1 / 2
/** Hot: among the best tenth of the window. */
const hotShare = 0.1
/** Rising: the last quarter has twice the views of an earlier one, and enough of them to rule out chance. */
const risingFactor = 2
const risingViewsMin = 20
export const lastShare = 1 / 4

/** The first three show their rank as a number. */
export const ranksShown = 3

/** The activity on an item: votes and ratings in all, views in the window and in its last quarter. */
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
/** How long the window and its last quarter are; null for All Time. They begin with a whole day where days are read. */
export type Window = { hours: number; lateHours: number } | null

export type Ranked = Activity & { score: number; bayesianRating: number; isHot: boolean; isRising: boolean }

/**
 * The items of a window, the best first; what has the same score, by quality, views and youth.
 *
 * score = quality × log10(1 + views in the window) × ½^(age ÷ half-life)
 * quality = half the Wilson bound of the votes, half the Bayesian mean of the ratings, each from 0 to 1
 *
 * The age is the item's own and ends at the window's length: else a library's older items, weighed by ½^700, could
 * never come back.
 */
export function rank(activities: readonly Activity[], window: Window, hours: number | null): Ranked[] {
  const libraryMean = meanRating(activities)
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
 * The lower bound of the share of upvotes that one can be 95 % sure of (E. B. Wilson, J. Am. Stat. Assoc. 22,
 * 1927, 209–212; for ranking: E. Miller, "How Not To Sort By Average Rating", 2009). 0 without votes.
 *
 * The bounds are the roots of (1 + z²/n)x² − (2p + z²/n)x + p² = 0. The lower one is taken from their product and
 * the upper one: the textbook's difference of two nearly equal numbers leaves 2e-17 of the share 0.
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
 * The mean of an item's ratings, drawn towards the library's mean as long as they are few: (C·m + Σ) ÷ (C + n), the
 * weighted rating that IMDb's Top 250 is known by. From 1 to 5.
 */
export function bayesianMean(
  { ratings, ratingSum }: Pick<Activity, 'ratings' | 'ratingSum'>,
  libraryMean: number,
): number {
  return (priorRatings * libraryMean + ratingSum) / (priorRatings + ratings)
}

/** The remaining share of a score at an age: ½ after half of the window, ¼ from its end on. */
export function ageDecay(ageHours: number, hours: number | null): number {
  if (hours === null) return 1
  return 0.5 ** (Math.min(Math.max(ageHours, 0), hours) / (hours * halfLifeShare))
}

/** Whether the last quarter had at least twice the views of the mean of the earlier ones, and at least 20. */
export function isRising(
  { views, lateViews }: Pick<Activity, 'views' | 'lateViews'>,
  window: Window,
): boolean {
  if (window === null || lateViews < risingViewsMin) return false
  const earlierAnHour = (views - lateViews) / (window.hours - window.lateHours)
  return lateViews / window.lateHours >= risingFactor * earlierAnHour
}

function meanRating(activities: readonly Activity[]): number {
  const ratings = activities.reduce((sum, each) => sum + each.ratings, 0)
  const ratingSum = activities.reduce((sum, each) => sum + each.ratingSum, 0)
  return ratings > 0 ? ratingSum / ratings : meanRatingDefault
}

/** The items of a type in an order. Top Rated omits items without ratings. */
export function inOrder(ranked: readonly Ranked[], type: ContentType, order: Order): Ranked[] {
  const those = type === 'all' ? ranked : ranked.filter((each) => each.type === type)
  if (order === 'trending') return [...those]
  if (order === 'most-viewed') return those.toSorted((a, b) => b.views - a.views || b.score - a.score)
  return those
    .filter(({ ratings }) => ratings > 0)
    .toSorted((a, b) => b.bayesianRating - a.bayesianRating || b.ratings - a.ratings || b.score - a.score)
}
