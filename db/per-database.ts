import type { Executor } from './db'

/**
 * Returns a function that creates a value once for each database, at its first use. `forget` drops the value, so that
 * the next use creates it again.
 */
export function perDatabase<Made extends object>(make: (db: Executor) => Made) {
  const madeFor = new WeakMap<Executor, Made>()
  const of = (db: Executor): Made => {
    const known = madeFor.get(db)
    if (known) return known
    const made = make(db)
    madeFor.set(db, made)
    return made
  }
  return Object.assign(of, { forget: (db: Executor): void => void madeFor.delete(db) })
}
