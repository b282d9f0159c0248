import { afterAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/db'
import { lockIds } from '#db/locks'
import { testDatabase, testDatabaseUrl } from '#db/testing'
import { createApp } from '#src/server/app'
import { publish } from '#src/story/publish'
import { categories } from '#src/story/rules'
import { browser, operatorBrowser, testApp } from '#src/testing/app'
import { fc } from '#src/testing/properties'
import { collect, type EventRow } from './collect'
import { listContentAnalytics, summarise } from './queries'
import { rebuildAll, rollUp, rollUpIfFree } from './rollup'
import { periods } from './rules'
import { event, listening, sendEvents } from './testing'
import { fillEvents } from './testing-fill'

const draft = (title: string, at: number) => ({
  title,
  content: 'She lit the lamp and waited.',
  categories: [categories[at % 7] ?? 'romantic', categories[(at * 3 + 1) % 7] ?? 'gay'].filter(
    (each, n, all) => all.indexOf(each) === n,
  ),
})

async function publishMany(db: Database, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push((await publish(db, draft(`Item ${at}`, at))).id)
  return ids
}

test('figures of 40,000 events equal a plain count for every period and category', async () => {
  const db = await testDatabase()
  const ids = await publishMany(db, 30)
  await fillEvents(db, { events: 40_000, days: 60, visitors: 800, contentIds: ids })
  await rebuildAll(db)
  for (const days of periods) {
    for (const category of days === 30 ? (['all', 'romantic', 'bdsm'] as const) : (['all'] as const)) {
      expect({ days, category, ...(await summarise(db, { days, category })) }).toMatchObject({
        days,
        category,
        ...(await countPlainly(db, days, category)),
      })
    }
  }
  for (const item of (await listContentAnalytics(db, { days: 30, category: 'all' })).slice(0, 3))
    expect(item).toMatchObject(await countItemPlainly(db, 30, item.contentId))
  // Without news there is nothing to do.
  expect(await rollUpIfFree(db)).toEqual({ days: [] })
})

/** Sorting numbers is faster than sorting rows. Among 40,000 no two have the same 64-bit hash. */
const hash = (columns: SQL) => sql`hashtextextended(concat_ws(' ', ${columns}), 0)`
const period = (days: number) =>
  sql`timestamp >= ((now() at time zone 'UTC')::date - ${days - 1}::int)::timestamp at time zone 'UTC'`
const day = sql`(timestamp at time zone 'UTC')::date`
const isView = sql`event_type in ('audio_play', 'audio_progress', 'audio_complete', 'read_start', 'read_progress', 'read_complete')`
const isEnd = sql`event_type in ('audio_complete', 'read_complete')`
const isHeard = sql`event_type in ('audio_play', 'audio_progress', 'audio_complete')`

async function countPlainly(db: Database, days: number, category: string) {
  const visitor = sql`coalesce(user_id::text, anon_id)`
  const inCategory =
    category === 'all'
      ? sql`true`
      : sql`content_id in (select id::text from stories where categories @> array[${category}]::text[])`
  const visits = (filter: typeof isView) =>
    sql`count(distinct ${hash(sql`${visitor}, content_id, ${day}`)}) filter (where content_id is not null and ${filter})::float8`
  const [row] = await db.execute(sql`
    select count(*)::float8 as "totalEvents", count(distinct ${visitor})::float8 as "activeUsers", ${visits(isView)} as "totalContentViews",
      ${visits(isHeard)} as "totalAudioPlays", ${visits(sql`event_type = 'read_complete'`)} as "totalStoriesRead",
      count(distinct ${hash(sql`${visitor}, session_id, ${day}`)})::float8 as "totalSessions",
      round(100.0 * ${visits(isEnd)}::numeric / nullif(${visits(isView)}, 0)::numeric, 1)::float8 as "avgCompletionRate"
    from analytics_events where ${period(days)} and ${inCategory}`)
  return { ...row }
}

async function countItemPlainly(db: Database, days: number, contentId: string) {
  const visitor = sql`coalesce(user_id::text, anon_id)`
  // The position of a pause counts too, for visitors who had any view on that day.
  const place = sql`(event_type = 'audio_pause' or ${isView})`
  const reached = (percent: number) =>
    sql`count(distinct ${hash(sql`${visitor}, ${day}`)}) filter (where ${isEnd} or position_sec / total_sec >= ${percent / 100}::float8)::int`
  const views = sql`count(distinct ${hash(sql`${visitor}, ${day}`)}) filter (where ${isView})::int`
  const [row] = await db.execute(sql`
    select ${views} as "totalViews", count(distinct ${visitor}) filter (where ${isView})::int as "uniqueListeners",
      count(distinct ${hash(sql`${visitor}, ${day}`)}) filter (where ${isEnd})::int as "totalCompletions",
      ${reached(25)} as completed25, ${reached(50)} as completed50, ${reached(75)} as completed75
    from analytics_events as one where ${period(days)} and content_id = ${contentId} and ${place}
      and exists (
        select from analytics_events as view where view.content_id = one.content_id and view.anon_id = one.anon_id
          and (view.timestamp at time zone 'UTC')::date = (one.timestamp at time zone 'UTC')::date and view.event_type <> 'audio_pause'
      )`)
  return { ...row }
}

const property = await testDatabase()
const [lamp = '', ferry = ''] = await publishMany(property, 2)
const member = crypto.randomUUID()
await property.execute(sql`insert into users (id, email) values (${member}::uuid, 'mia@example.com')`)

const eventRow = fc.record({
  person: fc.integer({ min: 0, max: 3 }),
  kind: fc.constantFrom(
    'audio_play',
    'audio_progress',
    'audio_pause',
    'audio_complete',
    'read_start',
    'read_complete',
    'page_view',
  ),
  item: fc.constantFrom(lamp, ferry),
  minutesAgo: fc.integer({ min: 1, max: 4 * 24 * 60 }),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('rollups do not depend on order, duplicates, delays, sign-ins or lost answers of batches', async () => {
  const now = Date.now()
  await fc.assert(
    fc.asyncProperty(
      fc.array(eventRow, { minLength: 1, maxLength: 40 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 1_000_000 })),
      fc.integer({ min: 0, max: 3 }),
      async (history, chances, browsersOfOne) => {
        const rows = history.map(
          ({ person, kind, item, minutesAgo, fraction }): EventRow => ({
            id: crypto.randomUUID(),
            timestamp: new Date(now - minutesAgo * 60_000).toISOString(),
            session_id: `session ${person}`,
            anon_id: `visitor ${person}`,
            user_id: null,
            event_type: kind,
            content_type: kind === 'page_view' ? 'page' : 'story',
            content_id: kind === 'page_view' ? null : item,
            position_sec: fraction * 600,
            total_sec: 600,
            delta_ms: 0,
            page: '/',
            meta: null,
          }),
        )
        await forget()
        await collect(property, rows)
        await rollUp(property)
        await signIn(browsersOfOne)
        await rollUp(property)
        const straight = await rollups()

        await forget()
        const chance = (one: number) => Number(chances.next().value) % one
        const shuffled = rows
          .map((row) => ({ row, at: chance(1_000_000) }))
          .sort((a, b) => a.at - b.at)
          .map(({ row }) => row)
        for (let at = 0; at < shuffled.length; ) {
          const batch = shuffled.slice(at, at + 1 + chance(10))
          const isAnswerLost = chance(3) === 0
          if (chance(4) === 0) await signIn(chance(browsersOfOne + 1))
          const sends = [1, ...(chance(3) === 0 ? [2] : [])].map(() => collect(property, batch))
          await Promise.all(sends)
          if (chance(3) === 0) await rollUp(property)
          if (!isAnswerLost) at += batch.length
        }
        await signIn(browsersOfOne)
        await rollUp(property)
        expect(await rollups()).toEqual(straight)
        await rebuildAll(property)
        expect(await rollups()).toEqual(straight)
      },
    ),
    { numRuns: 15 },
  )
})

/** Signs a member in on some browsers, which then all belong to that member. */
async function signIn(browsers: number): Promise<void> {
  await property.execute(sql`
    insert into analytics_links (anon_id, user_id)
    select 'visitor ' || n, ${member}::uuid from generate_series(1, ${browsers}::int) as n on conflict do nothing`)
}

async function forget(): Promise<void> {
  for (const table of [
    'analytics_links',
    'analytics_events',
    'analytics_arrivals',
    'analytics_sittings',
    'analytics_visits',
    'analytics_days',
    'analytics_day_events',
    'analytics_day_searches',
    'daily_aggregates',
    'monthly_aggregates',
    'analytics_last_days',
    'analytics_reach',
    'analytics_watermarks',
  ])
    await property.execute(sql`delete from ${sql.identifier(table)}`)
}

async function rollups() {
  const tables = await Promise.all([
    property.execute(sql`select * from analytics_days order by day, category`),
    property.execute(sql`select * from analytics_day_events order by day, category, event_type`),
    property.execute(
      sql`select scope, last_day, visitors from analytics_reach where visitors <> 0 order by 1, 2`,
    ),
    property.execute(sql`select scope, visitor, last_day from analytics_last_days order by 1, 2`),
    property.execute(
      sql`select date, content_id, total_views, total_time_ms, bounce_rate, reached from daily_aggregates order by 1, 2`,
    ),
    property.execute(sql`select * from monthly_aggregates order by month, content_id`),
  ])
  return tables.map((rows) => [...rows])
}

test('two servers on one database report the same figures', async () => {
  const { services } = await testApp()
  const url = await testDatabaseUrl()
  const [one, two] = [openDatabase(url, { max: 3 }), openDatabase(url, { max: 3 })]
  afterAll(() => Promise.all([one.close(), two.close()]))
  const apps = [createApp({ ...services, db: one }), createApp({ ...services, db: two })]
  const [itemId = ''] = await publishMany(one, 1)
  await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const app = apps[n % 2]
      if (app) await sendEvents(browser(app, `10.0.1.${n}`), [...listening(itemId, n / 10), event()])
    }),
  )
  const answers = await Promise.all(
    apps.map(async (app) => {
      const operator = await operatorBrowser(app)
      return Promise.all(
        ['summary?days=1', 'behavior', 'content', 'content-trends', 'realtime'].map((name) =>
          operator.json(`/api/analytics/${name}`),
        ),
      )
    }),
  )
  expect(answers[0]).toEqual(answers[1] ?? [])
  expect(answers[0]?.[0]).toMatchObject({ activeUsers: 10, totalContentViews: 10, totalEvents: 30 })
})

test('the dashboard shows what is counted already while another process holds the rollup lock', async () => {
  const { app, services } = await testApp()
  const operator = await operatorBrowser(app)
  await sendEvents(browser(app), [event()])
  expect(await operator.json('/api/analytics/summary?days=1')).toMatchObject({ totalEvents: 1 })
  await sendEvents(browser(app), [event()])
  const holder = await services.db.sql.reserve()
  await holder`begin`
  await holder`select pg_advisory_xact_lock(${lockIds.analytics})`
  expect(await operator.json('/api/analytics/summary?days=1')).toMatchObject({ totalEvents: 1 })
  await holder`rollback`
  holder.release()
  await rollUp(services.db)
  expect(await operator.json('/api/analytics/summary?days=1')).toMatchObject({ totalEvents: 2 })
})

test('a slow database makes the server return 503 with Retry-After and lose no acknowledged event', async () => {
  const { app, services } = await testApp({ TRUST_PROXY: '127.0.0.1' })
  const holder = await services.db.sql.reserve()
  await holder`begin`
  await holder`lock table analytics_events in exclusive mode`
  const answers = Array.from({ length: 230 }, (_, n) =>
    browser(app).call('/api/analytics/events', {
      json: { events: Array.from({ length: 50 }, () => event()) },
      headers: { 'x-forwarded-for': `10.2.${Math.floor(n / 50)}.1` },
    }),
  )
  const refused = await Promise.race(
    answers.map((answer) =>
      answer.then((each) => (each.status === 503 ? each : new Promise<never>(() => {}))),
    ),
  )
  expect(refused.headers.get('retry-after')).toBe('5')
  await holder`rollback`
  holder.release()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  const acknowledged = statuses.filter((status) => status === 200).length
  expect(acknowledged).toBeGreaterThan(150)
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  const [row] = await services.db.execute<{ n: string }>(sql`select count(*) as n from analytics_events`)
  expect(Number(row?.n)).toBe(acknowledged * 50)
})
