import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createLog } from '#src/process/log'
import { tidyUp } from '#src/server/housekeeping'
import { browser, memberBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services

test('concurrent housekeeping deletes expired rows and keeps the others', async () => {
  const [old, recent] = [await publishTestItem(services), await publishTestItem(services)]
  const visitor = browser(app)
  for (const { id } of [old, recent]) await visitor.call(`/api/content/${id}`)
  const gone = await memberBrowser(app, 'gone@example.com', '10.0.0.1')
  const here = await memberBrowser(app, 'here@example.com', '10.0.0.2')
  const goneId = gone.id
  await db.execute(sql`update openings set opened_at = now() - interval '61 days' where story_id = ${old.id}`)
  await db.execute(sql`update sessions set expire = now() - interval '1 second' where user_id = ${goneId}`)
  await db.execute(
    sql`update remembered_devices set last_used_at = now() - interval '366 days' where user_id = ${goneId}`,
  )
  await db.execute(
    sql`insert into throttles (key, window_start, count, expires_at) values ('over', now() - interval '1 day', 9, now() - interval '1 second')`,
  )

  // Two servers may tidy up at the same time.
  await Promise.all([tidyUp(services), tidyUp(services)])

  const opened = await db.execute<{ story_id: string }>(sql`select distinct story_id from openings`)
  expect(opened.map(({ story_id }) => story_id)).toEqual([recent.id])
  expect(await db.execute(sql`select 1 from sessions`)).toHaveLength(1)
  expect(await db.execute(sql`select 1 from remembered_devices`)).toHaveLength(1)
  expect(await here.json('/api/auth/user')).toMatchObject({ email: 'here@example.com' })
  const counters = await db.execute<{ key: string }>(sql`select key from throttles`)
  expect(counters.map(({ key }) => key)).not.toContain('over')
  expect(counters.length).toBeGreaterThan(0)
})

test('a failing housekeeping step is logged by name, and the other steps run', async () => {
  const lines: string[] = []
  await db.execute(
    sql`insert into analytics_salts (day, salt, created_at) values ('2020-01-01', 'old', '2020-01-01')`,
  )
  // Breaks a step before the salts and one after them.
  for (const table of ['import_drafts', 'playback_meters'])
    await db.execute(sql.raw(`alter table ${table} rename to ${table}_away`))
  await tidyUp({ ...services, log: createLog('warn', (line) => lines.push(line)) })
  for (const table of ['import_drafts', 'playback_meters'])
    await db.execute(sql.raw(`alter table ${table}_away rename to ${table}`))
  expect(await db.execute(sql`select 1 from analytics_salts where day = '2020-01-01'`)).toHaveLength(0)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', message: 'tidying up failed', step: 'begun imports' },
    { level: 'warn', message: 'tidying up failed', step: 'what was played of an item' },
  ])
})
