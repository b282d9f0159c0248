import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { clearHistory } from '#src/member/data/clear-history'
import { browser, memberBrowser, memberPassword, publishTestItem, testApp } from '#src/testing/app'
import { pruneAnalytics } from './partitions'
import { summarise } from './queries'
import { rebuildAll, rollUp } from './rollup'
import { destroySalts } from './salt'
import { event, listening, sendEvents } from './testing'

const { app, services } = await testApp()
const { db } = services
const story = await publishTestItem(services)
const span = { days: 7, category: 'all' } as const

test('a visitor who signs in counts as one person, and the next after a sign-out as another', async () => {
  const person = browser(app, '10.0.0.1')
  await sendEvents(person, listening(story.id, 0.5, 60 * 24 * 2))
  await rollUp(db)
  expect((await summarise(db, span)).activeUsers).toBe(1)
  await person.call('/api/auth/register', {
    json: { email: 'mia@example.com', password: memberPassword },
  })
  await sendEvents(person, [event()])
  await rollUp(db)
  expect(await summarise(db, span)).toMatchObject({ activeUsers: 1, totalUsers: 1 })
  await person.call('/api/auth/logout', { json: {} })
  await sendEvents(person, [event()])
  await rollUp(db)
  expect(await summarise(db, span)).toMatchObject({ activeUsers: 2, totalEvents: 4 })
  const before = await rollups()
  await rebuildAll(db)
  expect(await rollups()).toEqual(before)
})

test('erasing a member keeps the totals and leaves no trace of the member', async () => {
  const member = await memberBrowser(app, 'gone@example.com', '10.0.0.2')
  const { id } = member
  const sent = event()
  await sendEvents(member, [sent, ...listening(story.id, 1)])
  await member.call('/api/analytics/progress', {
    json: { contentId: story.id, contentType: 'story', lastPositionSec: 60, totalSec: 60, completed: true },
  })
  await rollUp(db)
  const before = await summarise(db, span)
  // This event is not counted yet.
  await member.json('/api/analytics/events', { json: { events: [event()] } })
  await clearHistory(db, id)
  const after = { ...before, totalEvents: before.totalEvents + 1 }
  expect(await summarise(db, span)).toEqual(after)
  await rebuildAll(db)
  expect(await summarise(db, span)).toEqual(after)
  const traces = await db.execute(sql`
    select 1 from analytics_events where user_id = ${id}::uuid or anon_id = ${id}
    union all select 1 from analytics_arrivals where user_id = ${id}::uuid or anon_id = ${id}
    union all select 1 from analytics_sittings where visitor = ${id}
    union all select 1 from analytics_visits where visitor = ${id}
    union all select 1 from analytics_last_days where visitor = ${id}
    union all select 1 from playback_sessions where user_id = ${id}::uuid or session_id = ${id}
    union all select 1 from playback_meters where listener_id = ${id}`)
  expect(traces).toHaveLength(0)
})

test('30 seconds of play make one view a day, and views move to the account when the visitor registers', async () => {
  const item = await publishTestItem(services)
  const listener = browser(app, '10.0.0.3')
  const report = (seconds: number) =>
    listener.call('/api/analytics/progress', {
      json: {
        contentId: item.id,
        contentType: 'story',
        lastPositionSec: seconds,
        totalSec: 600,
        lastUpdatedAt: new Date(Date.now() - 600_000 + seconds * 1000).toISOString(),
      },
    })
  const views = () =>
    db.execute<{ session_id: string; is_complete: boolean }>(
      sql`select session_id, is_complete from playback_sessions where story_id = ${item.id}`,
    )
  for (const seconds of [1, 10, 20]) await report(seconds)
  expect(await views()).toHaveLength(0)
  for (const seconds of [30, 40, 50, 300, 310, 350]) await report(seconds)
  expect(await views()).toHaveLength(1)
  for (const table of ['playback_meters', 'playback_sessions'])
    await db.execute(sql`update ${sql.identifier(table)} set day = day - 1 where story_id = ${item.id}`)
  for (const seconds of [360, 370, 380]) await report(seconds)
  expect(await views()).toHaveLength(1)
  await report(390)
  expect(await views()).toHaveLength(2)
  await listener.call('/api/auth/register', {
    json: { email: 'joined@example.com', password: memberPassword },
  })
  const { id } = await listener.json('/api/auth/user')
  const moved = { session_id: id, is_complete: false }
  expect([...(await views())]).toEqual([moved, moved])
})

test('salts are destroyed after 48 hours, and partitions of old months are dropped', async () => {
  await db.execute(
    sql`insert into analytics_salts (day, salt, created_at) values ('2020-01-01', 'old', now() - interval '49 hours')`,
  )
  await destroySalts(db)
  const salts = await db.execute<{ salt: string }>(sql`select salt from analytics_salts`)
  expect(salts.map(({ salt }) => salt)).not.toContain('old')
  await db.execute(
    sql`create table analytics_events_2020_01 partition of analytics_events for values from ('2020-01-01 00:00+00') to ('2020-02-01 00:00+00')`,
  )
  await db.execute(
    sql`create table analytics_visits_2020_01 partition of analytics_visits for values from ('2020-01-01') to ('2020-02-01')`,
  )
  const { totalUsers } = await summarise(db, span)
  await db.execute(
    sql`insert into analytics_last_days (scope, visitor, last_day) values ('all', 'long ago', '2020-01-02')`,
  )
  await db.execute(
    sql`insert into analytics_reach (scope, last_day, visitors) values ('all', '2020-01-02', 1)`,
  )
  expect(await pruneAnalytics(db)).toEqual({ droppedPartitions: ['analytics_events_2020_01'] })
  const [left] = await db.execute(sql`select to_regclass('analytics_visits_2020_01')::text as name`)
  expect(left?.name).toBeNull()
  expect(await db.execute(sql`select from analytics_last_days where visitor = 'long ago'`)).toHaveLength(0)
  expect((await summarise(db, span)).totalUsers).toBe(totalUsers)
})

test('days counted by an older version are recounted from their events and continue from there', async () => {
  const before = await rollups()
  for (const table of ['analytics_arrivals', 'analytics_sittings', 'analytics_visits', 'analytics_days'])
    await db.execute(sql`delete from ${sql.identifier(table)}`)
  await db.execute(sql`insert into analytics_watermarks (name, received_at) values ('rollup', now())`)
  await rollUp(db)
  expect(await rollups()).toEqual(before)
  await sendEvents(browser(app, '10.0.0.4'), listening(story.id, 0.5))
  await rollUp(db)
  const after = await rollups()
  await rebuildAll(db)
  expect(await rollups()).toEqual(after)
})

async function rollups() {
  const tables = await Promise.all([
    db.execute(sql`select * from analytics_days order by day, category`),
    db.execute(sql`select scope, last_day, visitors from analytics_reach where visitors > 0 order by 1, 2`),
    db.execute(
      sql`select date, content_id, total_views, total_time_ms, reached from daily_aggregates order by 1, 2`,
    ),
  ])
  return tables.map((rows) => [...rows])
}
