import type { Sql, TransactionSql } from 'postgres'
import { settle } from './catalogue'

/**
 * A transaction that sees the database as it is at this moment until it is closed, whatever others write
 * meanwhile; it writes nothing and stops nobody. Closing it fails where the connection was lost on the way.
 */
export async function openSnapshot(sql: Sql): Promise<{ tx: TransactionSql; close(): Promise<void> }> {
  const opened = Promise.withResolvers<TransactionSql>()
  const closing = Promise.withResolvers<void>()
  const transaction = sql.begin('isolation level repeatable read read only', async (tx) => {
    await settle(tx)
    opened.resolve(tx)
    await closing.promise
  })
  transaction.catch(opened.reject)
  const tx = await opened.promise
  return {
    tx,
    async close() {
      closing.resolve()
      await transaction
    },
  }
}
