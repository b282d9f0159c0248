/** Limits and names of private feeds. Browser-safe: no imports. */

/** Items on a page; podcast apps read the whole first page each time. */
export const feedItemsMax = 300

/** Neutral names for members in discreet mode. */
export const discreetFeedTitle = 'Evening listening'
export const discreetItemTitle = (number: number) => `Part ${number}`
