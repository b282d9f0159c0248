/** Neutral titles for members with discreet mode on. Browser-safe: no imports. */

/** Title of every tab and history entry. */
export const discreetTitle = 'Library'

/** Title on the lock screen, before the length of what plays. */
export const discreetSound = 'Audio'
