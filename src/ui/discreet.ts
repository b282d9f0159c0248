/** Neutral titles for members who asked for discretion. Browser-safe: no imports. */

/** Of every tab and history entry. */
export const discreetTitle = 'Library'

/** Of the lock screen, before the length of what plays. */
export const discreetSound = 'Audio'
