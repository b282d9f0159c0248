import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import type { CatalogueTable } from './catalogue'

export type Rows = { rows: number; bytes: number; sha256: string }

/**
 * PostgreSQL sends one row at a time. Rows are batched, since compressing and hashing each would take most of the time.
 */
const batchBytes = 64 * 1024

/**
 * The rows of a table in COPY's text format, which every version of PostgreSQL reads. `counted` is valid once they have
 * been read.
 */
export function copyOut(
  tx: TransactionSql,
  { sql, columnsSql, orderSql }: CatalogueTable,
): { chunks: AsyncGenerator<Uint8Array>; counted(): Rows } {
  const counter = countRows()
  async function* read() {
    const source: Readable = await tx
      .unsafe(`copy (select ${columnsSql} from ${sql} as whole_row order by ${orderSql}) to stdout`)
      .readable()
    try {
      for await (const batch of batches(source.iterator({ destroyOnReturn: false }))) {
        counter.add(batch)
        yield batch
      }
    } finally {
      // If the reader stops early, the remaining rows are read and dropped, since they block the connection.
      if (!source.readableEnded && !source.destroyed) await finished(source.resume())
    }
  }
  return { chunks: read(), counted: counter.counted }
}

/** Counts and hashes rows in COPY's text format: each row ends with a line feed, and none occurs within one. */
export function countRows(): { add(chunk: Uint8Array): void; counted(): Rows } {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  let bytes = 0
  return {
    add(chunk) {
      hasher.update(chunk)
      bytes += chunk.byteLength
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
    },
    counted: () => ({ rows, bytes, sha256: hasher.digest('hex') }),
  }
}

/** Inserts rows in the format of `copyOut` into a table. */
export async function copyIn(
  tx: TransactionSql,
  { sql, columnsSql }: CatalogueTable,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(chunks, await tx.unsafe(`copy ${sql} (${columnsSql}) from stdin`).writable())
}

/** The number and hash of a table's present rows. */
export async function countTable(tx: TransactionSql, table: CatalogueTable): Promise<Rows> {
  const { chunks, counted } = copyOut(tx, table)
  for await (const _ of chunks);
  return counted()
}

async function* batches(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    bytes += chunk.byteLength
    if (bytes < batchBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
