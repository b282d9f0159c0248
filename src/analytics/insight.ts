import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { isId } from '#src/shape/id'
import { addressReader, meterDays } from '#src/story/meter-rules'
import { operatorTitle } from '#src/story/operator-sight'
import { missingItem } from '#src/story/require-item'
import { type Period, startDaysMax } from './rules'

const listedMax = 50
const startPagesMax = 10

/** Lists searches: those without results first, then by frequency. `limit` null: all. */
export async function listSearches(db: Executor, days: Period, limit: number | null = listedMax) {
  return [
    ...(await db.execute<{ query: string; searches: number; withoutResult: number }>(sql`
      select query, sum(searches)::int as searches, sum(without_result)::int as "withoutResult" from analytics_day_searches
      where day > (now() at time zone 'UTC')::date - ${days}::int
      group by query order by 3 desc, 2 desc, 1 limit ${limit}::int`)),
  ]
}

/**
 * Describes where listeners and readers of an item stop: how many views reached 0, 10 … 100 percent, at which second
 * that is, and the pages on which listening began. Throws `not_found`.
 */
export async function describeRetention(db: Executor, contentId: string, days: Period) {
  const story = await requireMeasured(db, contentId)
  const [row] = await db.execute<{ views: number; bounces: number; reached: number[] }>(sql`
    select coalesce(sum(total_views), 0)::int as views, coalesce(sum(bounce_rate * total_views / 100), 0)::float8 as bounces,
      array[${sql.join(
        Array.from({ length: 10 }, (_, at) => sql`coalesce(sum(reached[${at + 1}::int]), 0)::int`),
        sql`, `,
      )}] as reached
    from daily_aggregates where content_id = ${contentId} and date > (now() at time zone 'UTC')::date - ${days}::int`)
  const views = row?.views ?? 0
  return {
    contentId,
    contentTitle: story.title,
    views,
    bounceRate: views === 0 ? 0 : Math.round((1_000 * (row?.bounces ?? 0)) / views) / 10,
    curve: [views, ...(row?.reached ?? [])].map((count, at) => ({
      percent: at * 10,
      second: Math.round((story.seconds * at) / 10),
      count: Number(count),
    })),
    startPages: await listStartPages(db, contentId, days),
  }
}

/** Finds the item whose figures are requested. Throws `not_found`. */
export async function requireMeasured(db: Executor, id: string): Promise<{ title: string; seconds: number }> {
  const [story] = isId(id)
    ? await db.execute<{ title: string; seconds: number }>(
        sql`select ${operatorTitle()} as title, coalesce(audio_duration_seconds, duration * 60)::float8 as seconds
          from stories where id = ${id}::uuid`,
      )
    : []
  if (!story) throw missingItem()
  return story
}

/**
 * Lists the pages on which Play was pressed, most frequent first. Only for the last few days, since these are counted
 * from the events themselves. `limit` null: all.
 */
export async function listStartPages(
  db: Executor,
  contentId: string,
  days: Period,
  limit: number | null = startPagesMax,
) {
  const since = sql`now() - make_interval(days => ${Math.min(days, startDaysMax)})`
  return [
    ...(await db.execute<{ page: string; starts: number }>(sql`
      select page, count(*)::int as starts from analytics_events
      where event_type = 'audio_play' and content_id = ${contentId} and page is not null
        and timestamp > ${since} and received_at > ${since}
      group by page order by 2 desc, 1 limit ${limit}::int`)),
  ]
}

/**
 * Describes the conversion at the free limit: visitors who used up their free stories in the last 30 days, people who
 * joined in that time, and how many of these had read up to the limit before.
 */
export async function describeConversion(db: Executor, freeStoryLimit: number) {
  const [row] = await db.execute<{ atLimit: number; joined: number; joinedAtLimit: number }>(sql`
    with joins as (
      select coalesce(user_id::text, anon_id) as visitor, min(timestamp) as at from analytics_events
      where event_type = 'user_register' and timestamp > now() - make_interval(days => ${meterDays}) group by 1
    ), readers as (
      select coalesce(e.user_id::text, e.anon_id) as visitor, count(distinct e.content_id) as stories
      from analytics_events e join joins on joins.visitor = coalesce(e.user_id::text, e.anon_id) and e.timestamp <= joins.at
      where e.event_type = 'read_start' and e.timestamp > now() - make_interval(days => ${meterDays}) group by 1
    )
    select (select count(*) from (
        select reader_id from openings where opened_at > now() - make_interval(days => ${meterDays})
          and not starts_with(reader_id, ${addressReader}) group by reader_id having count(*) >= ${freeStoryLimit}) as full_readers)::int as "atLimit",
      (select count(*) from login_events where method = 'register' and timestamp > now() - make_interval(days => ${meterDays}))::int as joined,
      (select count(*) from readers where stories >= ${freeStoryLimit})::int as "joinedAtLimit"`)
  return { days: meterDays, freeStoryLimit, ...(row ?? { atLimit: 0, joined: 0, joinedAtLimit: 0 }) }
}
