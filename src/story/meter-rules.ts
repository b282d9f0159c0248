/** Rules of the free-reading meter (docs/behaviour/reading.md). The limit itself is FREE_STORY_LIMIT. */

/** Days for which an opened story counts. */
export const meterDays = 30

/**
 * Without cookies the limit is this many times as high, per address and day, since many people may share an address.
 */
export const cookielessFactor = 10
/**
 * Prefix of the reader id that stands for an address. It counts openings in addition to the visitor's, and is not a
 * visitor itself.
 */
export const addressReader = 'address:'

/**
 * New visitor ids of one address that are counted per day, each with its own free stories: more than a household has
 * browsers, and as many as an office has new visitors. Further ids share the address's allowance without cookies until
 * the next day. One address thus reads at most limit × (10 + 30) stories.
 */
export const newVisitorsADay = 30
