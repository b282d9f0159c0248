import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/**
 * Imports, undos and restores out of the bin take turns until the end of their transaction: titles are compared under
 * this lock.
 */
export async function lockImports(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(5400302)`)
}
