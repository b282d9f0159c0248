import { sql } from 'drizzle-orm'
import type { Database } from './db'

/** Makes statements of a table wait, as a slow one would, until the function that is returned is called. */
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
