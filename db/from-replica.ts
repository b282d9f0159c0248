import { countRead } from '#src/process/metrics'
import type { Database, Executor } from './db'
import { isUnavailable, shortageOf } from './failures'

/** The kind of a read, as a label of the metrics. */
export type ReadKind = 'lists' | 'search' | 'pages' | 'rankings' | 'dashboards'

/**
 * Runs a read that may lag by `replicaLagSecondsMax`. It reads from the replica of DATABASE_REPLICA_URL while that is
 * readable, otherwise, or if the replica fails meanwhile, from the database itself. In a transaction it reads from that
 * transaction, and sees its writes. Do not use it for data that the person has just written, or that a write depends
 * on.
 */
export async function fromReplica<T>(
  db: Executor,
  kind: ReadKind,
  read: (from: Executor) => Promise<T>,
): Promise<T> {
  const replica = isDatabase(db) ? db.replica : null
  if (!replica) return read(db)
  if (replica.watch.isReadable()) {
    try {
      const result = await read(replica.reader)
      countRead({ kind, from: 'replica' })
      return result
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // A conflict with recovery concerns only that statement.
      if (shortageOf(error) !== 'contention') replica.watch.giveUp(error)
    }
  }
  countRead({ kind, from: 'primary' })
  return read(db)
}

function isDatabase(db: Executor): db is Database {
  return 'replica' in db
}
