/** Limits of the review queue. Browser-safe: no imports. */

/** Items on a page of the queue. */
export const heldLimitMax = 100

/** Items decided in one call, which takes about two seconds; the response says how many remain. */
export const reviewedAtOnceMax = 500
/** Undecided items that a response names; further ones are only counted. */
export const undecidedShownMax = 100

/** The reason for a refusal is a sentence or two to the author. */
export const reasonCharactersMax = 500
