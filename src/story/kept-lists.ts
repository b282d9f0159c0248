import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { keepForAWhile } from '#src/kept'
import type { ItemList } from './queries'
import { exactCountMax } from './rules'

/** How many items a condition finds, counted up to one more than `exactCountMax`. */
export async function countUpTo(db: Executor, where: SQL | undefined): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select 1 from stories where ${where} limit ${exactCountMax + 1}) as listed`,
  )
  return row?.count ?? 0
}

/** The same, remembered under a key until the library changes. */
export function countKept(db: Executor, key: unknown, where: SQL | undefined): Promise<number> {
  return keptOf(db).counts(JSON.stringify(key), () => countUpTo(db, where))
}

/**
 * A change to the library, made anywhere, is heard at once (library-changed.ts). These are for what nobody
 * tells: a line to the database that was cut, a change by hand. Counting costs more than a list itself.
 */
const listKeptMs = 10_000
const countKeptMs = 60_000

function makeKept() {
  return {
    lists: keepForAWhile<ItemList>(listKeptMs, 200),
    counts: keepForAWhile<number>(countKeptMs, 2_000),
    categories: keepForAWhile<string[]>(countKeptMs, 200),
  }
}

const keptByDatabase = new WeakMap<object, ReturnType<typeof makeKept>>()

/** What is remembered of the library, for one database. */
export function keptOf(db: Executor) {
  const kept = keptByDatabase.get(db) ?? makeKept()
  keptByDatabase.set(db, kept)
  return kept
}

/** After a change to the library, what was listed and counted before is forgotten. */
export function forgetLists(db: Executor): void {
  keptByDatabase.delete(db)
}
