import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testDatabase } from '#db/testing'
import { listRecentJobs } from './queries'

const db = await testDatabase()

test('recent jobs are found by indexes in a large table', async () => {
  await db.execute(sql`
    insert into jobs (id, kind, dedupe_key, payload, state, run_after, finished_at)
    select gen_random_uuid(), 'narrate', 'key ' || n, '{}', state, now() + (5 - n % 10) * interval '1 minute',
      case when state = 'done' then now() - n * interval '20 seconds' end
    from generate_series(1, 20000) as n,
      lateral (select case when n = 1 then 'running' when n % 4 = 0 then 'queued' else 'done' end as state) as states`)
  await db.execute(sql`analyze jobs`)
  expect(await listRecentJobs(db)).toHaveLength(402)
  const plan = await db.execute<{ 'QUERY PLAN': string }>(sql`explain ${listRecentJobs(db).getSQL()}`)
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  for (const index of ['jobs_in_motion', 'jobs_finished', 'jobs_pkey'])
    expect(text).toContain(`using ${index} `)
  expect(text).not.toContain('Seq Scan on jobs')
})
