/** Limits of passkeys. Browser-safe: no imports. */

/** More than the devices of one person. */
export const passkeysMax = 20
export const passkeyNameCharactersMax = 60
