import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import type { MergedTable } from '#src/personal-data/registry'
import { renameVisitor } from '#src/personal-data/rename-visitor'

/** Events that were in transit at the sign-in may arrive after the first rollup: a link is retained for so long. */
const linkMinutes = 2

type Link = { anon_id: string; user_id: string }

/** How each table's rows become the member's; returns the days with changed visitors. */
const merges: Record<MergedTable<'rollup'>, (tx: Transaction, link: Link) => Promise<string[]>> = {
  async analytics_events(tx, { anon_id, user_id }) {
    const changed = await tx.execute<{ day: string }>(sql`
      with given as (
        update analytics_events set user_id = ${user_id}::uuid where anon_id = ${anon_id} and user_id is null returning timestamp
      ) select distinct (timestamp at time zone 'UTC')::date::text as day from given`)
    return changed.map(({ day }) => day)
  },
  async analytics_last_days(tx, { anon_id, user_id }) {
    await tx.execute(renameVisitor(anon_id, user_id))
    return []
  },
}

/**
 * Assigns what visitors did before they signed in to the members, in events and rollups. Returns the days with
 * changed visitors.
 */
export async function mergeLinkedVisitors(tx: Transaction): Promise<string[]> {
  const links = await tx.execute<Link>(sql`select anon_id, user_id::text from analytics_links`)
  const days: string[] = []
  for (const link of links) for (const merge of Object.values(merges)) days.push(...(await merge(tx, link)))
  if (links.length > 0)
    await tx.execute(
      sql`delete from analytics_links where linked_at < now() - make_interval(mins => ${linkMinutes})`,
    )
  return days
}
