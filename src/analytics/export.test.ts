import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { makePartitions } from './partitions'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const exported = async (query: string) =>
  (await (await operator.call(`/api/analytics/export?${query}`)).text()).trim().split('\r\n').slice(1)
const many = 1_001

test('an export has all rows of a figure that the dashboard truncates', async () => {
  const item = await publishTestItem(services)
  await makePartitions(db)
  await db.execute(sql`
    insert into analytics_day_searches (day, query, searches, without_result)
    select current_date, 'words ' || n, 1, 1 from generate_series(1, ${many}::int) as n`)
  await db.execute(sql`
    insert into analytics_events (id, timestamp, anon_id, event_type, content_type, content_id, page)
    select gen_random_uuid(), now(), 'visitor', 'audio_play', 'story', ${item.id}, '/page/' || n
    from generate_series(1, ${many}::int) as n`)
  for (const query of ['figure=searches&days=7', `figure=starts&days=7&item=${item.id}`]) {
    const lines = await exported(query)
    expect([query, lines.length, new Set(lines).size]).toEqual([query, many, many])
  }
  expect(await operator.json('/api/analytics/searches?days=7')).toHaveLength(50)
  expect((await operator.call('/api/analytics/export?figure=starts&item=none')).status).toBe(404)
})

test('HEAD returns the same Content-Length as GET', async () => {
  using server = Bun.serve({ port: 0, fetch: (request) => app.fetch(request) })
  const cookie = [...operator.jar].map(([key, value]) => `${key}=${value}`).join('; ')
  const ask = (method: string) =>
    fetch(new URL('/api/analytics/export?figure=searches', server.url), { method, headers: { cookie } })
  const length = String((await (await ask('GET')).bytes()).length)
  expect((await ask('HEAD')).headers.get('content-length')).toBe(length)
})

test('exporting a figure of an item without naming the item returns 422', async () => {
  for (const figure of ['retention', 'starts']) {
    const response = await operator.call(`/api/analytics/export?figure=${figure}`)
    expect([figure, response.status]).toEqual([figure, 422])
    expect(await response.json()).toMatchObject({
      message: 'Item must be given.',
      fields: [{ path: 'item' }],
    })
  }
})
