import { type SQL, sql } from 'drizzle-orm'
import { instantText } from '#db/columns'
import { removals, type stories, type users } from '#db/schema'
import type { Executor } from './db'

/** The lists whose removals are recorded by triggers (0037_follow_changes.sql). */
export type ListWithRemovals =
  | 'published'
  | 'library'
  | 'challenge'
  | 'published_challenge'
  | 'guideline'
  | 'example'

/** Since when changes are requested, and whether removals are included. */
export type Since = { since: Date; include: 'changed' | 'changed and removed' }
type Place = { value: string; id: string }
type Change = { id: string; at: string; isRemoved: boolean }

/** Days for which removals are retained. A client that follows a list less often has to read it again as a whole. */
export const removalDays = 90

/**
 * Returns the items that have left a list since then, the oldest removal first. Empty if removals are not requested.
 */
export async function listRemovals(
  db: Executor,
  kind: ListWithRemovals,
  { since, include }: Since,
): Promise<{ id: string; removedAt: string }[]> {
  if (include === 'changed') return []
  const rows = await db.execute<Change>(sql`${removedSince(kind, since)} order by removed_at, id limit 10000`)
  return rows.map(({ id, at }) => ({ id, removedAt: at }))
}

/** A list of a table's rows. Removals from it are recorded if it has a `kind`. `where` is the list's own condition. */
type ChangingList = { table: typeof stories | typeof users; kind?: ListWithRemovals; where?: SQL }

/**
 * Returns a page of the rows that have changed since then or have left the list, in the order of the changes. `at` has
 * microseconds, for the cursor.
 */
export async function listRowChanges(
  db: Executor,
  { table, kind, where = sql`true` }: ChangingList,
  { since, include }: Since,
  { limit, after }: { limit: number; after: Place | null },
): Promise<Change[]> {
  const isAfter = (at: SQL) =>
    after ? sql`and (${at}, id) > (${after.value}::timestamptz, ${after.id}::uuid)` : sql``
  const removed =
    include === 'changed' || !kind
      ? sql``
      : sql`union all (${removedSince(kind, since)} ${isAfter(sql`removed_at`)} order by removed_at, id limit ${limit})`
  const changes = await db.execute<Change>(sql`
    select * from (
      (select id, ${instantText(sql`updated_at`)} as at, false as "isRemoved" from ${table}
        where ${where} and updated_at >= ${since.toISOString()}::timestamptz ${isAfter(sql`updated_at`)}
        order by updated_at, id limit ${limit})
      ${removed}) as changes order by at, id limit ${limit}`)
  return [...changes]
}

/** Deletes removals that are past their retention. */
export async function pruneRemovals(db: Executor): Promise<void> {
  await db.execute(
    sql`delete from ${removals} where removed_at < now() - make_interval(days => ${removalDays})`,
  )
}

function removedSince(kind: ListWithRemovals, since: Date): SQL {
  return sql`select id, ${instantText(sql`removed_at`)} as at, true as "isRemoved" from ${removals}
    where kind = ${kind} and removed_at >= ${since.toISOString()}::timestamptz`
}
