import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from './db'
import { rowText } from './row-text'
import { testDatabaseUrl } from './testing'

const db = openDatabase(await testDatabaseUrl(), { max: 1 })

test('a row is read out of its text as its columns are', async () => {
  const row = {
    words: '"Ferry", <b>\\ ’ 夜\n',
    minutes: 12,
    seconds: 0.1,
    isFree: true,
    none: null,
    tags: ['a,b', '"'],
  }
  const columns = rowText<typeof row>({
    words: sql`${row.words}::text`,
    minutes: sql`12`,
    seconds: sql`0.1::float8`,
    isFree: sql`true`,
    none: sql`null::text`,
    tags: sql`array['a,b', '"']`,
  })
  const [found] = await db.execute<{ text: string }>(sql`select ${columns.text} as text`)
  expect(columns.read(found?.text ?? '')).toEqual(row)
})
