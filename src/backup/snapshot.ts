import type { Sql, TransactionSql } from 'postgres'
import { fixFormats } from './catalogue'

/**
 * Opens a read-only transaction that sees the database as of this moment until it is closed, whatever others write
 * meanwhile; it blocks nobody. Closing it fails if the connection was lost. Until then, `stop` ends the connections of
 * `sql`, because a running statement cannot observe a signal.
 */
export async function openSnapshot(
  sql: Sql,
  stop?: AbortSignal,
): Promise<{ tx: TransactionSql; close(): Promise<void> }> {
  const hangUp = () => void sql.end({ timeout: 0 })
  stop?.addEventListener('abort', hangUp)
  const opened = Promise.withResolvers<TransactionSql>()
  const closing = Promise.withResolvers<void>()
  const transaction = sql.begin('isolation level repeatable read read only', async (tx) => {
    await fixFormats(tx)
    opened.resolve(tx)
    await closing.promise
  })
  transaction.catch(opened.reject).finally(() => stop?.removeEventListener('abort', hangUp))
  const tx = await opened.promise
  return {
    tx,
    async close() {
      closing.resolve()
      await transaction
    },
  }
}
