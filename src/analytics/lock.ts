/** Lock of whoever changes the sums: one at a time in all processes. */
export const analyticsLock = 7_301
