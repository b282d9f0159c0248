/** Business numbers of members and sessions. Browser-safe: no imports. */

export const passwordCharactersMin = 6
/** argon2 accepts any length; a megabyte of password would only keep the server busy. */
export const passwordBytesMax = 1_024
export const emailCharactersMax = 254
export const nameCharactersMax = 80

/** The header in which a page's calls say for whom it was drawn, as its `data-owner` does. */
export const pageOwnerHeader = 'page-owner'

/** A member stays signed in for 30 days after the last visit. */
export const memberSessionSeconds = 30 * 24 * 3_600
/** An operator is signed out after half an hour without a call, and after eight hours in any case. */
export const operatorIdleSeconds = 30 * 60
export const operatorSessionSeconds = 8 * 3_600
/** A session's row is written at most this often, not at every request. */
export const sessionTouchSeconds = 60

/**
 * A device that signed in is remembered for a year after that: guesses from elsewhere do not slow it down. The limit
 * is more than anyone uses; the device unused for longest is removed.
 */
export const rememberedDeviceSeconds = 365 * 24 * 3_600
export const rememberedDevicesMax = 20

/** Correct passwords are not guesses, but each costs a slow hash: the maximum in a quarter of an hour. */
export const signInsMax = 120
export const passwordChecksMax = 60

/**
 * A link that resets the password opens the account, so it expires soon; one that confirms an address may last
 * longer.
 */
export const resetLinkSeconds = 3_600
export const verifyLinkSeconds = 7 * 24 * 3_600
/** A link that changes the address of an account: its requester has the mailbox open. */
export const emailLinkSeconds = 24 * 3_600
/** A sign-in begun at a provider or with a passkey has to end within this time. */
export const authChallengeSeconds = 600
/** After a sign-in this recent no second proof is needed to add a sign-in method. */
export const freshSeconds = 600
/** The length of 32 random bytes in base64url, and some room. */
export const tokenCharactersMax = 64

/** Something before and after one "@". */
export const emailPattern = '^[^\\s@]+@[^\\s@]+$'

/** The same message whether the address has an account or not. */
export const newEmailWords =
  'A mail is on its way to the new address. Nothing changes before its link is followed.'

/** Characters of a suspension's reason: some sentences. */
export const reasonCharactersMax = 500
export const hiddenWordsMax = 100
export const hiddenWordCharactersMax = 60

/** The settings of a member who has chosen nothing. */
export const settingDefaults = {
  emailNotifications: true,
  pushNotifications: false,
  autoPlayNext: true,
  playbackSpeed: 1,
  theme: null,
  discreetMode: false,
  hiddenCategories: [],
  hiddenWords: [],
}

/** Four digits are quick to enter; more are for members who want them. */
export const pinDigits = { min: 4, max: 8 } as const
/** After being idle for so long the PIN is asked for again. */
export const pinIdleSeconds = 10 * 60
/** The cookie of an unlocked session is renewed at most this often. */
export const pinTouchSeconds = 60
