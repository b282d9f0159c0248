import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import type { MergedTable } from '#src/personal-data/registry'
import { renameVisitor } from '#src/personal-data/rename-visitor'
import { refoldEvents, subtractSittings, subtractVisits } from './fold-batch'

/** Minutes for which a link is retained: events in transit at the sign-in may arrive after the first fold. */
const linkMinutes = 2

/** A visitor who is a member now, and the days (UTC) on which the visitor's events are already folded. */
type Link = { anonId: string; userId: string; days: readonly string[] }

/** How the rows of each table become the member's. */
const merges: Record<MergedTable<'rollup'>, (tx: Transaction, link: Link) => Promise<void>> = {
  async analytics_events(tx, { anonId, userId }) {
    await tx.execute(
      sql`update analytics_events set user_id = ${userId}::uuid where anon_id = ${anonId} and user_id is null`,
    )
  },
  async analytics_sittings(tx, { anonId, userId, days }) {
    for (const visitor of [anonId, userId]) await subtractSittings(tx, visitor, days)
  },
  async analytics_visits(tx, { anonId, userId, days }) {
    for (const visitor of [anonId, userId]) await subtractVisits(tx, visitor, days)
  },
  async analytics_last_days(tx, { anonId, userId }) {
    await tx.execute(renameVisitor(anonId, userId))
  },
}

/**
 * Assigns the activity of visitors before their sign-in to the members, in the events and in what the fold stores. On
 * days with folded events of the visitor, everything of both is subtracted and folded again, as that of one person. Run
 * this within `fold`.
 */
export async function mergeLinkedVisitors(tx: Transaction): Promise<void> {
  const links = await tx.execute<{ anon_id: string; user_id: string }>(
    sql`select anon_id, user_id::text from analytics_links`,
  )
  for (const { anon_id: anonId, user_id: userId } of links) {
    const link = { anonId, userId, days: await listFoldedDays(tx, anonId) }
    for (const merge of Object.values(merges)) await merge(tx, link)
    if (link.days.length > 0) await refoldEvents(tx, userId, link.days)
  }
}

/** Drops links for which no further events can arrive. */
export async function dropOldLinks(tx: Transaction): Promise<void> {
  await tx.execute(
    sql`delete from analytics_links where linked_at < now() - make_interval(mins => ${linkMinutes})`,
  )
}

/** The days of a visitor's own events for which sittings are stored. */
async function listFoldedDays(tx: Transaction, anonId: string): Promise<string[]> {
  const days = await tx.execute<{ day: string }>(sql`
    select distinct day::text from analytics_sittings where visitor = ${anonId} and day = any(array(
      select distinct (timestamp at time zone 'UTC')::date from analytics_events where anon_id = ${anonId} and user_id is null
    ))`)
  return days.map(({ day }) => day)
}
