/** Numbers of passkeys. Browser-safe: no imports. */

/** More devices than one person has. */
export const passkeysMax = 20
export const passkeyNameCharactersMax = 60
