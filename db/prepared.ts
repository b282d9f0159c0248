import type { Executor } from './db'

/**
 * A query that is built once a database, for those that nearly every request runs: building it with drizzle costs more
 * time and garbage than the answer. Its values are `sql.placeholder`s.
 */
export function prepareOnce<Query>(build: (db: Executor) => Query): (db: Executor) => Query {
  const built = new WeakMap<Executor, Query>()
  return (db) => {
    const known = built.get(db)
    if (known !== undefined) return known
    const query = build(db)
    built.set(db, query)
    return query
  }
}
