/** Version of the backup format. It increases when older programs can no longer read the present format. */
export const formatVersion = 1

/**
 * Tables that are not in a backup, and are empty after a restore. Data that open an account must not be restored:
 * sessions, push devices, remembered browsers, links in mails, sign-ins in progress. Rate limit counters are
 * short-lived. The salts that tie an address to a day are destroyed after 48 hours, so no copy may outlive them. The
 * fingerprints of the library's secrets are taken again at the first start after a restore, which may be on another
 * machine.
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

/** Tables that migrations fill. A database with rows in these alone has no library. */
export const tablesFilledByMigrations = ['trending_windows']

/**
 * Columns that are not in a backup because triggers write them before a row is inserted. Generated columns are never in
 * one.
 */
export const columnsLeftOut = ['stories.words', 'stories.minutes']

/** Maximum size of a text in a backup. A manifest of about 120 bytes per audio file has room for half a million. */
export const textBytesMax = 64 * 1024 * 1024
export const archiveFilesMax = 1_000_000

/** The names of the files in the archive. A file with any other name was not written by us. */
export const manifestName = 'manifest.json'
export const secretsName = 'secrets.json'
export const tableFileName = (table: string) => `tables/${table}.copy.gz`
export const audioFileName = ({ hash, extension }: { hash: string; extension: string }) =>
  `audio/${hash}.${extension}`
export const archiveNames =
  /^(manifest\.json|secrets\.json|tables\/[a-z0-9_]+\.copy\.gz|audio\/[0-9a-f]{64}\.[a-z0-9]{3})$/
