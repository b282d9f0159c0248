import type { Executor } from './db'
import { perDatabase } from './per-database'

/**
 * Builds a query once for each database, for queries that nearly every request runs: building one with drizzle costs
 * more time and garbage than its answer. Its values are `sql.placeholder`s.
 */
export function prepareOnce<Query extends object>(build: (db: Executor) => Query): (db: Executor) => Query {
  return perDatabase(build)
}
