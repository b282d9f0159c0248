import { readMigrationFiles } from 'drizzle-orm/migrator'
import journal from './migrations/meta/_journal.json'

const migrationsFolder = `${import.meta.dir}/migrations`

export type Migration = {
  name: string
  madeAtMs: number
  /** What drizzle's journal in the database has of it. */
  hash: string
  statements: string[]
  /**
   * Its first line is `-- outside a transaction`: each statement lands by itself, and does nothing where it has landed
   * already. For indexes made concurrently, and for rows filled in batches.
   */
  isOutsideTransaction: boolean
}

/** The program's migrations, oldest first. */
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

/** Whether a statement is run again and again until it changes no row: so each run is short, and locks few rows. */
export function isBatch(statement: string): boolean {
  return /^-- until no row is left$/m.test(statement)
}

/** The index that a statement makes while others write; null for other statements. */
export function concurrentIndexOf(statement: string): string | null {
  return /\bcreate (?:unique )?index concurrently if not exists "(\w+)"/i.exec(statement)?.[1] ?? null
}

/** Whether a statement waits for other transactions, but stops nobody meanwhile. */
export function isConcurrent(statement: string): boolean {
  return /\b(?:create (?:unique )?|drop )index concurrently\b/i.test(statement)
}
