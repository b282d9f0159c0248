import { sql } from 'drizzle-orm'
import type { Database } from './db'

/** Blocks statements on a table, as a slow statement would, until the returned function is called. */
export async function lockTable(db: Database, table: string): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const transaction = db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`)
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, transaction])
  return () => {
    released.resolve()
    return transaction
  }
}
