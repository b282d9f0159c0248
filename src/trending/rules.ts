/** The constants of the ranking formula. Pure and browser-safe. */

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
export const wilsonZ = 1.96
/** Each item starts with this many ratings at the library's mean: a single five proves little. */
export const priorRatings = 10
/** The middle of the scale, for a library without ratings. */
export const meanRatingDefault = 3
export const [ratingLowest, ratingHighest] = [1, 5]
/** Votes and ratings both measure quality, and weigh the same. */
export const votesShare = 0.5
/** An item's score halves in half of the window. */
export const halfLifeShare = 1 / 2
/** Hot items are the best tenth of the window. */
export const hotShare = 0.1
/** An item rises if the last quarter has twice the views of an earlier one, and enough of them to rule out chance. */
const risingFactor = 2
const risingViewsMin = 20
export const lastShare = 1 / 4

/**
 * In a library of up to so many items, the rankings include each vote at once and use the exact mean rating. In a
 * larger one they follow within seconds, and the mean is updated once it has moved by `meanRatingStep` stars, because
 * every item's key has to be rewritten then. The step changes no quality by more than 0.00125 of 1.
 */
export const atOnceMax = 1_000
export const meanRatingStep = 0.01

/** The first three show their rank as a number. */
export const ranksShown = 3

/**
 * The length of a window and of its last quarter, in hours; null for All Time. Windows that are counted by day begin
 * with a whole day.
 */
export type Window = { hours: number; lateHours: number } | null

/** Whether the last quarter had at least twice the views of the mean of the earlier ones, and at least 20. */
export function isRising(
  { views, lateViews }: { views: number; lateViews: number },
  window: Window,
): boolean {
  if (window === null || lateViews < risingViewsMin) return false
  const earlierAnHour = (views - lateViews) / (window.hours - window.lateHours)
  return lateViews / window.lateHours >= risingFactor * earlierAnHour
}
