import { readMigrationFiles } from 'drizzle-orm/migrator'
import journal from './migrations/meta/_journal.json'

const migrationsFolder = `${import.meta.dir}/migrations`

export type Migration = {
  name: string
  madeAtMs: number
  /** The hash in drizzle's journal in the database. */
  hash: string
  statements: string[]
  /**
   * Whether its first line is `-- outside a transaction`: then each statement commits by itself, and does nothing if it
   * was applied already. For indexes created concurrently, and for rows filled in batches.
   */
  isOutsideTransaction: boolean
}

/** Returns the program's migrations, oldest first. */
export function listMigrations(): Migration[] {
  const names = new Map(journal.entries.map(({ when, tag }) => [when, tag]))
  return readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }) => ({
    name: names.get(folderMillis) ?? '',
    madeAtMs: folderMillis,
    hash,
    statements: sql,
    isOutsideTransaction: sql[0]?.startsWith('-- outside a transaction') ?? false,
  }))
}

/** Whether a statement is repeated until it changes no row, so that each run is short and locks few rows. */
export function isBatch(statement: string): boolean {
  return /^-- until no row is left$/m.test(statement)
}

/** Returns the name of the index that a statement creates concurrently; null for other statements. */
export function concurrentIndexOf(statement: string): string | null {
  return /\bcreate (?:unique )?index concurrently if not exists "(\w+)"/i.exec(statement)?.[1] ?? null
}

/** Whether a statement waits for other transactions but blocks nobody meanwhile. */
export function isConcurrent(statement: string): boolean {
  return /\b(?:create (?:unique )?|drop )index concurrently\b/i.test(statement)
}
