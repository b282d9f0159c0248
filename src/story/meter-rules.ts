/** Rules of the free-reading meter (docs/behaviour/reading.md). The limit itself is FREE_STORY_LIMIT. */

/** Days for which an opening counts. */
export const meterDays = 30

/** Many people can share one address: without cookies the limit is this many times as high, a day. */
export const cookielessFactor = 10
/** What the reader's id of an address begins with: it opens stories beside the visitor, and is nobody of its own. */
export const addressReader = 'address:'

/**
 * New visitor ids of one address that are counted a day, each with free stories of its own: more than a household has
 * browsers, and as many as an office has new visitors. Ids beyond it share the address's allowance without cookies
 * until another day. One address thus reads limit × (10 + 30) stories at most.
 */
export const newVisitorsADay = 30
