import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testDatabase } from '#db/testing'

const db = await testDatabase()

test('sorting by duration uses an index, for one type and for both', async () => {
  await db.execute(sql`
    insert into stories (id, type, source, status, slug, title, title_key, duration)
    select gen_random_uuid(), case when n % 3 = 0 then 'flow' else 'story' end, 'pre_uploaded', 'published',
      'lamp-' || n, 'The Lamp', 'the lamp ' || n, 1 + n % 60
    from generate_series(1, 5000) as n`)
  await db.execute(sql`analyze stories`)
  for (const [condition, index] of [
    [sql`true`, 'stories_minutes_all'],
    [sql`type = 'story'`, 'stories_minutes'],
  ] as const) {
    const plan = await db.execute<{ 'QUERY PLAN': string }>(sql`
      explain select id from stories where status = 'published' and source = 'pre_uploaded' and ${condition}
        and (minutes, id) > (12, '00000000-0000-0000-0000-000000000000') order by minutes, id limit 25`)
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(new RegExp(`using ${index} `))
    expect(text).not.toContain('Sort')
  }
})
