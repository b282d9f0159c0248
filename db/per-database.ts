import type { Executor } from './db'

/** What is made once a database, when it is first asked for. `forget` drops it, so that the next one is made anew. */
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
