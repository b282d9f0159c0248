import { countRead } from '#src/process/metrics'
import type { Database, Executor } from './db'
import { isUnavailable, shortageOf } from './failures'

/** What is read: a label of the metrics. */
export type ReadKind = 'lists' | 'search' | 'pages' | 'rankings' | 'dashboards'

/**
 * A read that may lag by `replicaLagSecondsMax`: on the replica of DATABASE_REPLICA_URL while that is readable, else on
 * the database itself; on that too where the replica fails meanwhile. A transaction reads its own writes. Never for
 * what a person has written, nor for what a write depends on.
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
      // A conflict with recovery is of that statement alone.
      if (shortageOf(error) !== 'contention') replica.watch.giveUp(error)
    }
  }
  countRead({ kind, from: 'primary' })
  return read(db)
}

function isDatabase(db: Executor): db is Database {
  return 'replica' in db
}
