import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { subtractLateVisits } from './fold-batch'
import { addEvents, addSearches } from './fold-events'
import { foldSittings } from './fold-sittings'
import { foldVisits } from './fold-visits'
import { moveReach } from './reach'

/**
 * Adds a batch of events to the sums, in the caller's transaction. `gather` writes the batch into `fold_events` with
 * the functions of fold-batch.ts. Counts of events are added. Counts of visitors are updated from what is stored about
 * each visitor, so the cost depends on the size of the batch, not of the day. A visitor is a member or a tracking id; a
 * view is a visitor with an item on a day. Returns the days (UTC, `2026-11-20`) that changed.
 */
export async function fold(tx: Transaction, gather: () => Promise<void>): Promise<string[]> {
  // A large batch is aggregated in memory, not on disk.
  await tx.execute(sql`set local work_mem = '64MB'`)
  await openTables(tx)
  await gather()
  const days = await tx.execute<{ day: string }>(sql`select distinct day::text from fold_events order by 1`)
  if (days.length > 0) {
    await subtractLateVisits(tx)
    await gatherItems(tx)
    await addEvents(tx)
    await addSearches(tx)
    await foldSittings(tx)
    await foldVisits(tx)
    await moveReach(tx)
  }
  await tx.execute(sql`drop table fold_events, fold_items, fold_sittings, fold_visits, fold_present`)
  return days.map(({ day }) => day)
}

/**
 * Creates the temporary tables: the batch, its items, and the changes. These are sittings and visits before (`sign` -1)
 * and after (`sign` 1), and the scopes in which a visitor is present for the first time on a day.
 */
async function openTables(tx: Transaction): Promise<void> {
  const tables = {
    fold_events: sql`day date, at timestamptz, id uuid, visitor text, session_id text, event_type text, content_id uuid,
      fraction float8, search jsonb, is_new boolean`,
    fold_items: sql`content_id uuid, content_type text, categories text[]`,
    fold_sittings: sql`sign int, day date, category text, visitors int, is_session boolean, ms bigint`,
    fold_visits: sql`sign int, day date, content_id uuid, content_type text, categories text[], was_heard boolean,
      was_read boolean, is_complete boolean, fraction float8, time_ms bigint`,
    fold_present: sql`scope text, visitor text, day date`,
  }
  for (const [name, columns] of Object.entries(tables))
    await tx.execute(sql`create temporary table ${sql.identifier(name)} (${columns}) on commit drop`)
}

/** Collects the items of the events, with their categories. Deleted items are missing. */
async function gatherItems(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    insert into fold_items select stories.id, stories.type, array['all'] || stories.categories
    from (select distinct content_id from fold_events) as seen join stories on stories.id = seen.content_id`)
}
