import { expect, test } from 'bun:test'
import { AppError } from '#src/app-error'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { migrate, migrationLock, migrationStatus } from './migrate'
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

test('a process that waits for the migration of another one names it, and goes on after it', async () => {
  const url = await emptyDatabaseUrl()
  const other = connect(url, { max: 1, connection: { application_name: 'nocturne restore' } })
  const said: string[] = []
  const waiting = Promise.withResolvers<void>()
  await other.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${migrationLock})`
    void migrate(url, (holder) => said.push(holder)).then(waiting.resolve, waiting.reject)
    await until(() => said.length > 0)
  })
  await waiting.promise
  expect(said).toEqual([expect.stringMatching(/^nocturne restore, process \d+$/)])
  expect((await migrationStatus(url)).pending).toEqual([])
  await other.end()
})

test('a database of a newer program is refused, and left as it is', async () => {
  const url = await emptyDatabaseUrl()
  await migrate(url)
  const sql = connect(url, { max: 1 })
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.UTC(2099, 0, 1)})`

  const error = await migrate(url).catch((refusal) => refusal)

  expect(error).toBeInstanceOf(AppError)
  expect(error.message).toStartWith('The database was migrated by a newer Nocturne, on 2099-01-01; this one')
  await sql.end()
})
