import { expect, test } from 'bun:test'
import { AppError } from '#src/app-error'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { migrate, migrateWithin, migrationLock, migrationStatus } from './migrate'
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

test('in a library of before, the demo is told from what operators added, and reports from feature flags', async () => {
  const url = await emptyDatabaseUrl()
  const sql = connect(url, { max: 1 })
  /** When 0028 was made: the migrations after it mark the demo and name the two kinds of flags. */
  const before = 1795429192386
  await sql.begin((tx) => migrateWithin(tx, { until: before }))
  // The seed's items are the first, in one transaction; every other way in is recorded.
  const add = (title: string, importId: string | null) => sql`
    insert into stories (id, title, title_key, slug, source, status, import_id, created_at)
    values (gen_random_uuid(), ${title}, ${title}, ${title}, 'pre_uploaded', 'published', ${importId}, '2026-11-01')
    returning id`
  await add('ours', null)
  await add('imported', crypto.randomUUID())
  const [own] = await add('published', null)
  await sql`insert into stories (id, title, title_key, slug, source, status, created_at)
    values (gen_random_uuid(), 'later', 'later', 'later', 'pre_uploaded', 'published', '2026-11-02')`
  await sql`insert into audit_log (id, actor, action, subject_type, subject_id) values
    (gen_random_uuid(), 'Ada', 'publish', 'item', ${own?.id}),
    (gen_random_uuid(), 'Ada', 'set', 'flag', 'memberSharing'),
    (gen_random_uuid(), 'Ada', 'remove', 'flag', gen_random_uuid()::text)`

  await sql.begin((tx) => migrateWithin(tx, { after: before }))

  expect(await sql`select title from demo_items join stories on id = story_id`).toMatchObject([
    { title: 'ours' },
  ])
  expect(
    await sql`select action, subject_type as about from audit_log where action <> 'publish' order by action`,
  ).toMatchObject([
    { action: 'remove', about: 'report' },
    { action: 'set', about: 'feature flag' },
  ])
  await sql.end()
})
