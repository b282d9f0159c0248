import { sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Transaction } from '#db/db'
import { analyticsLock } from './partitions'

/** Events that were on their way at the sign-in may come after the first look: a link lives so long. */
const linkMinutes = 2

/**
 * Gives members what they did before they signed in, in events and rollups. Answers the days whose visitors
 * are others now.
 */
export async function mergeLinkedVisitors(tx: Transaction): Promise<string[]> {
  const links = await tx.execute<{ anon_id: string; user_id: string }>(
    sql`select anon_id, user_id::text from analytics_links`,
  )
  const days: string[] = []
  for (const { anon_id, user_id } of links) {
    const changed = await tx.execute<{ day: string }>(sql`
      with given as (
        update analytics_events set user_id = ${user_id}::uuid where anon_id = ${anon_id} and user_id is null returning timestamp
      ) select distinct (timestamp at time zone 'UTC')::date::text as day from given`)
    days.push(...changed.map(({ day }) => day))
    await renameVisitor(tx, anon_id, user_id)
  }
  if (links.length > 0)
    await tx.execute(
      sql`delete from analytics_links where linked_at < now() - make_interval(mins => ${linkMinutes})`,
    )
  return days
}

/**
 * Takes the member out of the analytics: what was done stays counted, and nobody can say any more by whom.
 * Account deletion calls it before the member's row goes.
 */
export async function eraseFromAnalytics(db: Database, userId: string): Promise<void> {
  const nobody = newId()
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
    await mergeLinkedVisitors(tx)
    await tx.execute(sql`delete from analytics_links where user_id = ${userId}::uuid`)
    await tx.execute(sql`
      delete from tracking_sessions where anon_id = ${userId}
        or anon_id in (select anon_id from analytics_events where user_id = ${userId}::uuid)`)
    // One id of all of the member's browsers: of two events that were the same but for the browser, one stays.
    await tx.execute(sql`
      delete from analytics_events as one using analytics_events as other
      where one.user_id = ${userId}::uuid and other.user_id = ${userId}::uuid
        and one.timestamp = other.timestamp and one.id = other.id and one.anon_id > other.anon_id`)
    await tx.execute(sql`
      update analytics_events set user_id = null, anon_id = ${nobody}, session_id = md5(${nobody} || session_id)
      where user_id = ${userId}::uuid`)
    await renameVisitor(tx, userId, nobody)
    await tx.execute(sql`
      update playback_sessions set user_id = null, ip_address = null, session_id = ${nobody}
      where user_id = ${userId}::uuid or session_id = ${userId}`)
    await tx.execute(sql`delete from playback_meters where listener_id = ${userId}`)
  })
}

/** The last days of `from` become those of `to`: the later of both counts, and nobody counts twice. */
async function renameVisitor(tx: Transaction, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    with old as (
      delete from analytics_last_days where visitor = ${from} returning scope, last_day
    ), pairs as materialized (
      select old.scope, old.last_day as old_day, known.last_day as known_day
      from old left join analytics_last_days as known on known.visitor = ${to} and known.scope = old.scope
    ), saved as (
      insert into analytics_last_days (scope, visitor, last_day) select scope, ${to}, old_day from pairs
      on conflict (visitor, scope) do update set last_day = greatest(analytics_last_days.last_day, excluded.last_day)
    )
    insert into analytics_reach as reach (scope, last_day, visitors)
    select scope, least(old_day, known_day), -count(*) from pairs where known_day is not null group by 1, 2
    on conflict (scope, last_day) do update set visitors = reach.visitors + excluded.visitors`)
}
