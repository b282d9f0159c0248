import { sql } from 'drizzle-orm'
import type { Executor } from './db'

/** Whether the database takes writes. A standby does not, nor one that an operator or a provider set to read only. */
export async function takesWrites(db: Executor): Promise<boolean> {
  const [row] = await db.execute<{ isWritable: boolean }>(
    sql`select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as "isWritable"`,
  )
  return row?.isWritable ?? false
}
