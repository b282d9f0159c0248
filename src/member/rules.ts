/** Business numbers of members and sessions. Browser-safe: no imports. */

export const passwordCharactersMin = 6
/** argon2 takes any length; a megabyte of password would only be a way to keep the server busy. */
export const passwordBytesMax = 1_024
export const emailCharactersMax = 254
export const nameCharactersMax = 80

/** A member stays signed in for 30 days after the last visit. */
export const memberSessionSeconds = 30 * 24 * 3_600
/** An operator is signed out after half an hour without a call, and after eight hours in any case. */
export const operatorIdleSeconds = 30 * 60
export const operatorSessionSeconds = 8 * 3_600
/** A session's row is written at most this often, not at every request. */
export const sessionTouchSeconds = 60

/** A link to a new password opens an account, so it does not lie about for long; one that confirms an address may. */
export const resetLinkSeconds = 3_600
export const verifyLinkSeconds = 7 * 24 * 3_600
/** One that changes an address: who asked for it sits in front of that mailbox. */
export const emailLinkSeconds = 24 * 3_600
/** What was begun at a provider or with a passkey ends within this time, or begins again. */
export const attemptSeconds = 600
/** A sign-in so young needs no second proof before another way in is added. */
export const freshSeconds = 600
/** The length of 32 random bytes in base64url, and some room. */
export const tokenCharactersMax = 64

/** Something before and after one "@" (product.md §8). */
export const emailPattern = '^[^\\s@]+@[^\\s@]+$'

/** Said whether somebody has that address already or not. */
export const newEmailWords =
  'A letter is on its way to the new address. Nothing changes before its link is followed.'

/** What a member is told of a suspension: some sentences. */
export const reasonCharactersMax = 500
export const hiddenWordsMax = 100
export const hiddenWordCharactersMax = 60

/** Four digits are quick in the evening; more are for who wants them. */
export const pinDigits = { min: 4, max: 8 } as const
/** Away for so long, and the PIN is asked for again. */
export const pinIdleSeconds = 10 * 60
/** Its cookie is renewed no more often than this. */
export const pinTouchSeconds = 60
