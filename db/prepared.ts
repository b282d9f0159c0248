import type { Executor } from './db'
import { perDatabase } from './per-database'

/**
 * A query that is built once a database, for those that nearly every request runs: building it with drizzle costs more
 * time and garbage than the answer. Its values are `sql.placeholder`s.
 */
export function prepareOnce<Query extends object>(build: (db: Executor) => Query): (db: Executor) => Query {
  return perDatabase(build)
}
