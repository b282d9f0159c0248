/** Business numbers of the review queue. Browser-safe: no imports. */

/** A page of the queue. */
export const heldLimitMax = 100

/** Items of one call: about two seconds; the answer has the number that remains. */
export const reviewedAtOnceMax = 500
/** Undecided items that an answer names; further ones are counted. */
export const undecidedShownMax = 100

/** A sentence or two to the maker of what is refused. */
export const reasonCharactersMax = 500
