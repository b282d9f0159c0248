/** Business numbers of members and sessions. Browser-safe: no imports. */

export const passwordCharactersMin = 6
/** argon2 accepts any length, but a megabyte of password would keep the server busy. */
export const passwordBytesMax = 1_024
export const emailCharactersMax = 254
export const nameCharactersMax = 80

/** The header by which a page's calls state for whom it was rendered, like its `data-owner` attribute. */
export const pageOwnerHeader = 'page-owner'

/** A member stays signed in for 30 days after the last visit. */
export const memberSessionSeconds = 30 * 24 * 3_600
/** An operator is signed out after half an hour without a call, and after eight hours in any case. */
export const operatorIdleSeconds = 30 * 60
export const operatorSessionSeconds = 8 * 3_600
/** A session's row is written at most this often, not at every request. */
export const sessionTouchSeconds = 60

/**
 * A device is remembered for a year after its last sign-in: guesses from elsewhere do not slow it down. The limit is
 * more than anyone uses; beyond it, the device unused for longest is removed.
 */
export const rememberedDeviceSeconds = 365 * 24 * 3_600
export const rememberedDevicesMax = 20

/** Maximum in a quarter of an hour. Correct passwords are not guesses, but each costs a slow hash. */
export const signInsMax = 120
export const passwordChecksMax = 60

/**
 * A link that resets the password opens the account, so it expires soon. A link that confirms an address may last
 * longer.
 */
export const resetLinkSeconds = 3_600
export const verifyLinkSeconds = 7 * 24 * 3_600
/** Lifetime of a link that changes the address of an account. The member who requests it has the mailbox open. */
export const emailLinkSeconds = 24 * 3_600
/** Time within which a sign-in at a provider or with a passkey has to be completed. */
export const authChallengeSeconds = 600
/** After a sign-in this recent, adding a sign-in method needs no second proof. */
export const freshSeconds = 600
/** The length of 32 random bytes in base64url, with some room. */
export const tokenCharactersMax = 64

/** Some text before and after a single "@". */
export const emailPattern = '^[^\\s@]+@[^\\s@]+$'

/** The message is the same whether the address has an account or not. */
export const newEmailWords =
  'A mail is on its way to the new address. Nothing changes until you follow its link.'

/** Characters of a suspension's reason: enough for some sentences. */
export const reasonCharactersMax = 500
export const hiddenWordsMax = 100
export const hiddenWordCharactersMax = 60

/** Settings of a member who has chosen nothing. */
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

/** Four digits are quick to enter. Members may choose more. */
export const pinDigits = { min: 4, max: 8 } as const
/** After being idle for this long, the member has to enter the PIN again. */
export const pinIdleSeconds = 10 * 60
/** The cookie of an unlocked session is renewed at most this often. */
export const pinTouchSeconds = 60
