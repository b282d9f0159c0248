/** Pages that src/urls.ts does not name yet. */

/** The form behind the Beta Access box, for browsers without JavaScript. */
export const betaSignupAddress = '/beta-signup'
/** Nobody's page: where "leave quickly" goes. */
export const leaveAddress = '/leave'
