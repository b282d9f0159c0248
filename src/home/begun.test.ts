import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { findEvening } from './begun'

let statements = 0
const observe = () => {
  statements += 1
}
const db = openDatabase(await testDatabaseUrl(), { max: 1, observe })
afterAll(() => db.close())

test('finding begun items takes two statements, however many there are', async () => {
  const memberId = crypto.randomUUID()
  await db.execute(sql`
    with made as (
      insert into stories (id, type, source, status, slug, title, title_key, content, published_at)
      select gen_random_uuid(), 'story', 'pre_uploaded', 'published', 'lamp-' || at, 'Lamp ' || at, 'lamp', 'She lit it.', now()
      from generate_series(1, 12) as at returning id, slug
    )
    insert into content_progress (id, anon_id, content_id, content_type, last_position_sec, total_sec, last_updated_at)
    select gen_random_uuid(), ${memberId}, id, 'story', 30, 100, now() - substr(slug, 6)::int * interval '1 minute' from made`)
  statements = 0
  const { resume, others } = await findEvening(db, memberId)
  expect(statements).toBe(2)
  expect(resume?.words).toBe('She lit it.')
  expect([resume, ...others].map((begun) => begun?.item.title)).toEqual([
    'Lamp 1',
    'Lamp 2',
    'Lamp 3',
    'Lamp 4',
  ])
})

test('minutes left are rounded like the length of an item', async () => {
  const memberId = crypto.randomUUID()
  await db.execute(sql`
    with made as (
      insert into stories (id, type, source, status, slug, title, title_key, content, published_at, duration)
      values (gen_random_uuid(), 'flow', 'pre_uploaded', 'published', 'tide', 'Tide', 'tide', '', now(), 2)
      returning id
    )
    insert into content_progress (id, anon_id, content_id, content_type, last_position_sec, total_sec, last_updated_at)
    select gen_random_uuid(), ${memberId}, id, 'flow', 54, 120, now() from made`)
  expect((await findEvening(db, memberId)).resume?.minutesLeft).toBe(1)
})
