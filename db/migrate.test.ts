import { expect, test } from 'bun:test'
import { connect } from './db'
import { migrate, migrationStatus } from './migrate'
import { emptyDatabaseUrl } from './testing'

test('six starters at once migrate an empty database once', async () => {
  const url = await emptyDatabaseUrl()
  const before = await migrationStatus(url)
  expect(before.applied).toBe(0)
  expect(before.pending).toContain('0000_first_evening')

  await Promise.all(Array.from({ length: 6 }, () => migrate(url)))

  expect(await migrationStatus(url)).toEqual({ applied: before.pending.length, pending: [] })
})

test('a database that has every migration is left as it is', async () => {
  const url = await emptyDatabaseUrl()
  await migrate(url)
  const sql = connect(url, { max: 1 })
  await sql`insert into beta_signups (id, email) values (gen_random_uuid(), 'ada@example.com')`

  await migrate(url)

  expect(await sql`select email from beta_signups`).toMatchObject([{ email: 'ada@example.com' }])
  await sql.end()
})
