/** The contents of a backup, and data that are never in one. */

/** Increases when an older program could not read the present format. */
export const formatVersion = 1

/**
 * Left out, and empty after a restore: data that open an account must not be restored (sessions, push devices,
 * remembered browsers, links in mails, sign-ins in progress), rate limit counters are short-lived, and the salts that
 * tie an address to a day are destroyed after 48 hours, so no copy may outlive them. Which secrets belong to the
 * library is known anew with the first start after a restore, which may be on another machine.
 */
export const tablesLeftOut = [
  'audio_leases',
  'sessions',
  'push_devices',
  'remembered_devices',
  'mail_tokens',
  'sign_in_attempts',
  'throttles',
  'analytics_salts',
  'secret_fingerprints',
]

/** A database in which these alone have rows has no library. */
export const tablesFilledByMigrations = ['trending_windows']

/** Left out: columns that triggers write, before a row is inserted. Generated columns are left out anyway. */
export const columnsLeftOut = ['stories.words', 'stories.minutes']

/** The manifest has about 120 bytes an audio file: this is half a million of them. */
export const textBytesMax = 64 * 1024 * 1024
export const archiveFilesMax = 1_000_000

/** The names of files in the archive; any other file was not written by us. */
export const manifestName = 'manifest.json'
export const secretsName = 'secrets.json'
export const tableFileName = (table: string) => `tables/${table}.copy.gz`
export const audioFileName = ({ hash, extension }: { hash: string; extension: string }) =>
  `audio/${hash}.${extension}`
export const archiveNames =
  /^(manifest\.json|secrets\.json|tables\/[a-z0-9_]+\.copy\.gz|audio\/[0-9a-f]{64}\.[a-z0-9]{3})$/
