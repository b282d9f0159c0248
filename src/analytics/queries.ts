import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { operatorTitle } from '#src/story/operator-sight'
import { itemSums } from './item-sums'
import {
  activeSeconds,
  contentListMax,
  type Period,
  recentEventsMax,
  sessionRanges,
  viewEvents,
} from './rules'
import type { Behavior, CategoryFilter, ContentAnalytics, ContentTrends, Realtime, Summary } from './schema'
import { listOf } from './sql-list'

export type Span = { days: Period; category: CategoryFilter }

/** The first day of a period that ends today, UTC. */
const firstDay = (days: number): SQL => sql`((now() at time zone 'UTC')::date - ${days - 1}::int)`

const tomorrow = sql`((now() at time zone 'UTC')::date + 1)`

/** The figures of the site in a period or, with a category, of its items. */
export async function summarise(db: Executor, { days, category }: Span): Promise<Summary> {
  const [row] = await db.execute<Record<keyof Omit<Summary, 'sessionsPerUser'>, number>>(sql`
    select coalesce(sum(events), 0)::float8 as "totalEvents", coalesce(sum(views), 0)::float8 as "totalContentViews",
      coalesce(sum(audio_plays), 0)::float8 as "totalAudioPlays", coalesce(sum(stories_read), 0)::float8 as "totalStoriesRead",
      coalesce(sum(sessions), 0)::float8 as "totalSessions",
      coalesce(sum(session_ms)::float8 / nullif(sum(sessions), 0) / 1000, 0)::float8 as "avgSessionDuration",
      coalesce(100.0 * sum(completions) / nullif(sum(views), 0), 0)::float8 as "avgCompletionRate",
      (select coalesce(sum(visitors), 0) from analytics_reach where scope = ${category})::float8 as "totalUsers",
      (select coalesce(sum(visitors), 0) from analytics_reach where scope = ${category} and last_day >= ${firstDay(days)})::float8 as "activeUsers"
    from analytics_days where category = ${category} and day >= ${firstDay(days)}`)
  if (!row) throw new Error('An aggregate answered no row.')
  return {
    ...row,
    sessionsPerUser: rounded(row.activeUsers === 0 ? 0 : row.totalSessions / row.activeUsers, 2),
    avgSessionDuration: rounded(row.avgSessionDuration, 1),
    avgCompletionRate: rounded(row.avgCompletionRate, 1),
  }
}

export async function describeBehavior(db: Executor, { days, category }: Span): Promise<Behavior> {
  const [dailyActiveUsers, [lengths], topEvents] = await Promise.all([
    db.execute<{ date: string; count: number }>(sql`
      select each::date::text as date, coalesce(visitors, 0) as count
      from generate_series(${firstDay(days)}, (now() at time zone 'UTC')::date, interval '1 day') as each
      left join analytics_days on category = ${category} and day = each::date order by each`),
    db.execute<{ counts: number[] }>(sql`
      select array[${sql.join(
        sessionRanges.map((_, at) => sql`coalesce(sum(session_counts[${at + 1}::int]), 0)::int`),
        sql`, `,
      )}] as counts
      from analytics_days where category = ${category} and day >= ${firstDay(days)}`),
    db.execute<Behavior['topEvents'][number]>(sql`
      select event_type as "eventType", sum(events)::int as count from analytics_day_events
      where category = ${category} and day >= ${firstDay(days)}
      group by event_type order by 2 desc, 1 limit 10`),
  ])
  return {
    dailyActiveUsers: [...dailyActiveUsers],
    sessionDurations: sessionRanges.map(({ range }, at) => ({
      range,
      count: Number(lengths?.counts[at] ?? 0),
    })),
    topEvents: [...topEvents],
  }
}

/** Lists the ten items with the most views. */
export async function listContentAnalytics(
  db: Executor,
  { days, category }: Span,
): Promise<ContentAnalytics[]> {
  const rows = await db.execute<ContentAnalytics>(sql`
    with top as (
      select content_id, sum(views)::int as views, sum(time_ms)::float8 as ms,
        sum(completed_25)::int as c25, sum(completed_50)::int as c50, sum(completed_75)::int as c75, sum(completed_100)::int as c100
      from (${itemSums(firstDay(days), tomorrow)}) as sums where true ${ofCategory(category)}
      group by content_id having sum(views) > 0 order by views desc, content_id limit ${contentListMax}
    )
    select top.content_id as "contentId", coalesce(${operatorTitle('s')}, ${removedTitle}) as "contentTitle",
      coalesce(${category === 'all' ? sql`s.categories[1]` : sql`${category}::text`}, '') as category,
      coalesce((select avg(rating) from story_feedback where story_id = s.id), 0)::float8 as rating,
      views as "totalViews", c100 as "totalCompletions",
      (select coalesce(sum(visitors), 0) from analytics_reach where scope = top.content_id and last_day >= ${firstDay(days)})::int as "uniqueListeners",
      (select count(*) from favorites where story_id = s.id)::int as "favoritesCount",
      (ms / views / 1000)::float8 as "avgEngagementTime",
      c25 as completed25, c50 as completed50, c75 as completed75, c100 as completed100
    from top left join stories s on s.id = top.content_id::uuid
    order by views desc, top.content_id`)
  return rows.map((row) => ({
    ...row,
    rating: rounded(row.rating, 2),
    avgEngagementTime: rounded(row.avgEngagementTime, 1),
  }))
}

/** Views of each day, and the items with the largest gain over the preceding period of the same length. */
export async function describeContentTrends(db: Executor, { days, category }: Span): Promise<ContentTrends> {
  const [perDay, items] = await Promise.all([
    db.execute<ContentTrends['days'][number]>(sql`
      select each::date::text as date, coalesce(views, 0) as views, coalesce(completions, 0) as completions,
        coalesce(audio_plays, 0) as "audioPlays", coalesce(stories_read, 0) as "storiesRead"
      from generate_series(${firstDay(days)}, (now() at time zone 'UTC')::date, interval '1 day') as each
      left join analytics_days on category = ${category} and day = each::date order by each`),
    db.execute<ContentTrends['items'][number]>(sql`
      with items as (
        select content_id, sum(views)::int as views, sum(before)::int as before
        from (
          select content_id, views, 0 as before from (${itemSums(firstDay(days), tomorrow)}) as now
          union all
          select content_id, 0, views from (${itemSums(firstDay(days * 2), firstDay(days))}) as earlier
        ) as sums where true ${ofCategory(category)} group by content_id
      ), top as (
        select * from items where views > before order by views - before desc, content_id limit ${contentListMax}
      )
      select content_id as "contentId", coalesce(${operatorTitle('s')}, ${removedTitle}) as "contentTitle", views, before as "previousViews"
      from top left join stories s on s.id = top.content_id::uuid order by views - before desc, content_id`),
  ])
  return { days: [...perDay], items: [...items] }
}

/**
 * The live figures, read from the events themselves. "Active" are visitors who played or read in the last two minutes.
 */
export async function describeRealtime(db: Executor): Promise<Realtime> {
  const isActive = sql`e.timestamp > now() - make_interval(secs => ${activeSeconds}) and e.event_type in ${listOf(viewEvents)}`
  const [[active], activeContent, recentEvents] = await Promise.all([
    db.execute<{ count: number }>(
      sql`select count(distinct coalesce(e.user_id::text, e.anon_id))::int as count from analytics_events e where ${isActive}`,
    ),
    db.execute<Realtime['activeContent'][number]>(sql`
      select ${operatorTitle('s')} as "contentTitle", s.type as "contentType", last.event_type as "eventType", count(*)::int as "activeUsers"
      from (
        select distinct on (coalesce(e.user_id::text, e.anon_id), e.content_id) e.content_id, e.event_type
        from analytics_events e where ${isActive} and e.content_type in ('story', 'flow') and e.content_id is not null
        order by coalesce(e.user_id::text, e.anon_id), e.content_id, e.timestamp desc
      ) as last join stories s on s.id = last.content_id::uuid
      group by s.id, last.event_type order by 4 desc, 1 limit ${contentListMax}`),
    listRecent(db),
  ])
  return {
    currentActiveUsers: active?.count ?? 0,
    activeContent: [...activeContent],
    recentEvents,
  }
}

/** Lists the newest events of the last week. The last hour is read first, which is enough on a busy site. */
async function listRecent(db: Executor): Promise<Realtime['recentEvents']> {
  for (const hours of [1, 24]) {
    const events = await listSince(db, hours)
    if (events.length === recentEventsMax) return events
  }
  return listSince(db, 7 * 24)
}

async function listSince(db: Executor, hours: number): Promise<Realtime['recentEvents']> {
  const events = await db.execute<Realtime['recentEvents'][number]>(sql`
    select e.event_type as "eventType", ${operatorTitle('s')} as "contentTitle", to_json(e.timestamp at time zone 'UTC') #>> '{}' || 'Z' as timestamp
    from (
      select id, timestamp, event_type, content_type, content_id from analytics_events
      where timestamp > now() - make_interval(hours => ${hours}) order by timestamp desc, id limit ${recentEventsMax}
    ) as e left join stories s on s.id = case when e.content_type in ('story', 'flow') then e.content_id::uuid end
    order by e.timestamp desc, e.id`)
  return [...events]
}

const removedTitle = 'Removed item'

function ofCategory(category: CategoryFilter): SQL {
  if (category === 'all') return sql``
  return sql`and content_id in (select id::text from stories where categories @> array[${category}]::text[])`
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
