import { sql } from 'drizzle-orm'
import type { Executor } from './db'

/**
 * Whether the database accepts writes. A standby does not, nor does a database that an operator or provider has set to
 * read-only.
 */
export async function takesWrites(db: Executor): Promise<boolean> {
  const [row] = await db.execute<{ isWritable: boolean }>(
    sql`select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as "isWritable"`,
  )
  return row?.isWritable ?? false
}
