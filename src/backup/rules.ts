/** What a backup is made of, and what is never in one. */

/** Goes up when an older program could not read what is written now. */
export const formatVersion = 1

/**
 * Left out, and empty after a restore: what opens an account must not come back to life (sessions, and the
 * browsers that hear of news through them, links in mails, ways in that were begun), counters of guesses are of
 * their moment, and the salts that tie an address to a day are destroyed after 48 hours, so no copy may outlive
 * them.
 */
export const tablesLeftOut = [
  'sessions',
  'push_devices',
  'mail_tokens',
  'sign_in_attempts',
  'throttles',
  'analytics_salts',
]

/** The manifest has about 120 bytes an audio file: this is half a million of them. */
export const textBytesMax = 64 * 1024 * 1024
export const archiveFilesMax = 1_000_000

/** The names of files in the archive; anything else in it was not written by us. */
export const manifestName = 'manifest.json'
export const secretsName = 'secrets.json'
export const tableFileName = (table: string) => `tables/${table}.copy.gz`
export const audioFileName = ({ hash, extension }: { hash: string; extension: string }) =>
  `audio/${hash}.${extension}`
export const archiveNames =
  /^(manifest\.json|secrets\.json|tables\/[a-z0-9_]+\.copy\.gz|audio\/[0-9a-f]{64}\.[a-z0-9]{3})$/
