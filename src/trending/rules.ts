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
export const wilsonZ = 1.96
/** Each item begins with so many ratings at the library's own mean: one five alone proves little. */
export const priorRatings = 10
/** The middle of the scale, for a library without ratings. */
export const meanRatingDefault = 3
export const [ratingLowest, ratingHighest] = [1, 5]
/** Votes and ratings say the same in two ways, and weigh the same. */
export const votesShare = 0.5
/** An item loses half of its score in half of the window. */
export const halfLifeShare = 1 / 2
/** Hot: among the best tenth of the window. */
export const hotShare = 0.1
/** Rising: the last quarter has twice the views of an earlier one, and enough of them to rule out chance. */
const risingFactor = 2
const risingViewsMin = 20
export const lastShare = 1 / 4

/**
 * Up to so many items rankings follow each vote at once, and the library's mean rating to the letter. Of a larger
 * library they follow within some seconds, and a mean that has moved by so many stars: that moves no quality by more
 * than 0.00125 of 1, and each item's key has to be written anew.
 */
export const atOnceMax = 1_000
export const meanRatingStep = 0.01

/** The first three show their rank as a number. */
export const ranksShown = 3

/** How long the window and its last quarter are; null for All Time. They begin with a whole day where days are read. */
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
