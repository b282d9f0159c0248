/** The free-reading meter (product.md §3 and §8). The limit itself is FREE_STORY_LIMIT. */

/** An opening counts for this long. */
export const meterDays = 30

/** Many people can share one address: without cookies the limit is this many times as high, a day. */
export const cookielessFactor = 10
