/** What private feeds hold. Browser-safe: no imports. */

/** The newest so many: podcast apps read the whole list each time. */
export const feedItemsMax = 300

/** What stands in the place of names where a member chose discreet mode. */
export const discreetFeedTitle = 'Evening listening'
export const discreetItemTitle = (number: number) => `Part ${number}`
