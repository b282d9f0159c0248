import { expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as drizzleMigrate } from 'drizzle-orm/postgres-js/migrator'
import { AppError } from '#src/app-error'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { lockIds } from './locks'
import { migrate, migrateWithin, migrationStatus } from './migrate'
import { listMigrations } from './migration-files'
import { emptyDatabaseUrl } from './testing'

test('six concurrent processes migrate an empty database once', async () => {
  const url = await emptyDatabaseUrl()
  const before = await migrationStatus(url)
  expect(before.applied).toBe(0)
  expect(before.pending).toContain('0000_first_evening')

  await Promise.all(Array.from({ length: 6 }, () => migrate(url)))

  expect(await migrationStatus(url)).toEqual({ applied: before.pending.length, pending: [] })
})

test('migrating a current database keeps its data', async () => {
  const url = await emptyDatabaseUrl()
  await migrate(url)
  const sql = connect(url, { max: 1 })
  await sql`insert into beta_signups (id, email) values (gen_random_uuid(), 'ada@example.com')`

  await migrate(url)

  expect(await sql`select email from beta_signups`).toMatchObject([{ email: 'ada@example.com' }])
  await sql.end()
})

test('drizzle’s own migrator, which early versions ran, finds nothing left to apply', async () => {
  const { url, sql } = await databaseUpTo('0009')
  await migrate(url)
  const { applied } = await migrationStatus(url)

  await drizzleMigrate(drizzle(sql), { migrationsFolder: `${import.meta.dir}/migrations` })

  expect(await migrationStatus(url)).toEqual({ applied, pending: [] })
  await sql.end()
})

test('a process names the one whose migration lock it waits for, and then continues', async () => {
  const url = await emptyDatabaseUrl()
  const other = connect(url, { max: 1, connection: { application_name: 'nocturne restore' } })
  const said: string[] = []
  const waiting = Promise.withResolvers<void>()
  await other.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${lockIds.migrations})`
    void migrate(url, { onWait: (holder) => said.push(holder) }).then(waiting.resolve, waiting.reject)
    await until(() => said.length > 0)
  })
  await waiting.promise
  expect(said).toEqual([expect.stringMatching(/^nocturne restore, process \d+, idle in transaction$/)])
  expect((await migrationStatus(url)).pending).toEqual([])
  await other.end()
})

test('a database migrated by a newer version is rejected and not migrated', async () => {
  const { url, sql } = await databaseUpTo('0009')
  const { applied } = await migrationStatus(url)
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.UTC(2099, 0, 1)})`

  const error = await migrate(url).catch((refusal) => refusal)

  expect(error).toBeInstanceOf(AppError)
  expect(error.message).toStartWith('The database was migrated by a newer Nocturne, on 2099-01-01; this one')
  expect(await migrationStatus(url)).toEqual({ applied: applied + 1, pending: [] })
  await sql.end()
})

/** Creates an empty database with the migrations up to the named one. */
async function databaseUpTo(name: string) {
  const url = await emptyDatabaseUrl()
  const until = listMigrations().find((each) => each.name.startsWith(name))?.madeAtMs
  if (until === undefined) throw new Error(`There is no migration ${name}.`)
  const sql = connect(url, { max: 3 })
  await sql.begin((tx) => migrateWithin(tx, { until }))
  return { url, sql }
}

test('migrations before a failed one stay applied, and the next run continues with it', async () => {
  const { url, sql } = await databaseUpTo('0009')
  await sql`create table episode_numbers ()`

  expect(await rejectionOf(migrate(url))).toMatchObject({
    message: expect.stringMatching(
      /^The migration 0028_\w+ does not fit what the database holds \(42P07, relation "episode_numbers" already exists\); /,
    ),
  })

  expect((await migrationStatus(url)).pending[0]).toStartWith('0028_')
  await sql`drop table episode_numbers`
  const applied: string[] = []
  await migrate(url, { onApplied: (name) => applied.push(name.slice(0, 4)) })
  expect(applied.slice(0, 2)).toEqual(['0028', '0029'])
  await sql.end()
})

test('a blocked migration does not block writes, names the blocking process, and is applied later', async () => {
  const { url, sql } = await databaseUpTo('0015')
  const reader = connect(url, { max: 1, connection: { application_name: 'a long report' } })
  const said: string[] = []
  const done = Promise.withResolvers<void>()
  await reader.begin(async (tx) => {
    await tx`select from users`
    void migrate(url, { onBlocked: (name, holders) => said.push(`${name}: ${holders}`) }).then(
      done.resolve,
      done.reject,
    )
    await until(() => said.length > 0)
    // If the migration waited without a limit, this would wait for ever behind it.
    await sql`insert into users (id, email) values (gen_random_uuid(), 'ada@example.com')`
  })
  await done.promise
  expect(said[0]).toMatch(/^0016_pin_on_opening: a long report, process \d+, idle in transaction$/)
  expect((await migrationStatus(url)).pending).toEqual([])
  await Promise.all([reader.end(), sql.end()])
})

test('an older version that starts while an index is created concurrently causes no deadlock', async () => {
  const { url, sql } = await databaseUpTo('0029')
  const [reader, older] = [connect(url, { max: 1 }), connect(url, { max: 1 })]
  const said: string[] = []
  const done = Promise.withResolvers<void>()
  await reader.begin('isolation level repeatable read', async (tx) => {
    await tx`select from stories`
    void migrate(url, { onBlocked: (name) => said.push(name) }).then(done.resolve, done.reject)
    await until(() => said.length > 0)
    await older`select pg_advisory_lock(${lockIds.migrations})`
  })
  expect(said[0]).toStartWith('0030_')
  // The migration 0031 is waiting for this transaction.
  await older.end()
  await done.promise
  expect((await migrationStatus(url)).pending).toEqual([])
  await Promise.all([reader.end(), sql.end()])
})

test('an invalid index left by a failed run is rebuilt', async () => {
  const { url, sql } = await databaseUpTo('0029')
  for (const slug of ['one', 'two'])
    await sql`insert into stories (id, slug, title, title_key) values (gen_random_uuid(), ${slug}, 'A', 'a')`
  const failure = await rejectionOf(sql`create unique index concurrently stories_held on stories (title_key)`)
  expect(failure).toMatchObject({ code: '23505' })

  await migrate(url)

  const [made] = await sql`
    select indisvalid, pg_get_indexdef(indexrelid) as sql from pg_index where indexrelid = 'stories_held'::regclass`
  expect(made).toEqual({ indisvalid: true, sql: expect.stringContaining("WHERE (status = 'held'::text)") })
  await sql.end()
})

test('a database in which words and minutes were generated columns ends with the current schema', async () => {
  const [fresh, { url, sql }] = [await emptyDatabaseUrl(), await databaseUpTo('0028')]
  await sql.unsafe(earlierShape)
  await sql`insert into stories (id, slug, title, title_key, audio_duration_seconds) values (gen_random_uuid(), 'a', 'Tea, for two', 'a', 130)`

  await Promise.all([migrate(url), migrate(fresh)])

  expect(
    await sql`select array(select unnest(words) order by 1) as words, minutes from stories`,
  ).toMatchObject([{ words: ['for', 'tea', 'two'], minutes: 2 }])
  const other = connect(fresh, { max: 1 })
  expect(await describeSchema(sql)).toEqual(await describeSchema(other))
  await Promise.all([sql.end(), other.end()])
})

/** The shape that 0012 to 0027 created before those migrations were changed. */
const earlierShape = `
  alter table stories drop column words, drop column minutes;
  alter table stories
    add column words text[] generated always as (nocturne_words(title, description, excerpt, tags, content)) stored not null,
    add column minutes integer generated always as (case when audio_duration_seconds is null then duration else greatest(1, round((audio_duration_seconds / 60)::numeric))::int end) stored not null;
  drop index stories_duration;
  drop index votes_created_before;
  create index votes_created on votes (created_at, story_id, vote_type);
  create index stories_held on stories (id) where status = 'held';
  create index stories_minutes on stories (type, minutes, id) where status = 'published' and source = 'pre_uploaded'`

/** Returns columns, indexes, constraints and triggers, independent of the order in which they were created. */
async function describeSchema(sql: ReturnType<typeof connect>): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select format('%s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default, generation_expression) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1`
  return rows.map(({ line }) => line)
}

test('triggers update words and minutes whenever the columns they are derived from change', async () => {
  const { url, sql } = await databaseUpTo('0009')
  await migrate(url)
  await sql`insert into stories (id, slug, title, title_key, duration) values (gen_random_uuid(), 'a', 'Rain', 'a', 7)`
  const derived = async () =>
    (await sql`select array(select unnest(words) order by 1) as words, minutes from stories`)[0]
  expect(await derived()).toEqual({ words: ['rain'], minutes: 7 })
  await sql`update stories set content = 'on glass', duration = 9`
  expect(await derived()).toEqual({ words: ['glass', 'on', 'rain'], minutes: 9 })
  await sql`update stories set audio_duration_seconds = 200, upvotes = 1`
  expect(await derived()).toEqual({ words: ['glass', 'on', 'rain'], minutes: 3 })
  await sql.end()
})

test('migrating an old library tells demo items from operators’, and audited reports from feature flags', async () => {
  const { url, sql } = await databaseUpTo('0028')
  // The seed's items are the first, in one transaction. Items from any other source are recorded as such.
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

  await migrate(url)

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
