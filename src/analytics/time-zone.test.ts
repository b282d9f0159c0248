import { expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { listChanges } from '#src/audit/list-changes'
import { describeBehavior, describeContentTrends } from './queries'

// Chile's clocks skip midnight: on the first day of summer time there is no 00:00.
const zone = 'America/Santiago'
const url = await testDatabaseUrl()

test('a year has each of its days once on a database server in a zone with summer time', async () => {
  const owner = openDatabase(url, { max: 1 })
  await owner.sql.unsafe(
    `do $$ begin execute format('alter database %I set timezone = ''${zone}''', current_database()); end $$`,
  )
  await owner.close()
  const db = openDatabase(url, { max: 2 })
  const year = { days: 365, category: 'all' } as const
  const now = Date.now()
  const days = Array.from({ length: 365 }, (_, at) =>
    new Date(now - (364 - at) * 86_400_000).toISOString().slice(0, 10),
  )
  const { dailyActiveUsers } = await describeBehavior(db, year)
  expect(dailyActiveUsers.map(({ date }) => date)).toEqual(days)
  expect((await describeContentTrends(db, year)).days.map(({ date }) => date)).toEqual(days)
  await db.close()
})

test('the last day of the audit log’s filter has 24 hours on the day on which clocks change', async () => {
  const db = openDatabase(url, { max: 1 })
  // Clocks are set back by an hour at 03:00 UTC.
  for (const at of ['2026-04-05T23:59:59Z', '2026-04-06T00:30:00Z'])
    await db.sql`
      insert into audit_log (id, at, actor, action, subject_type) values (gen_random_uuid(), ${at}, 'Ada', 'edit', 'item')`
  const listed = await listChanges(db, { from: '2026-04-05', to: '2026-04-05' })
  expect(listed.map(({ at }) => at.toISOString())).toEqual(['2026-04-05T23:59:59.000Z'])
  await db.close()
})
