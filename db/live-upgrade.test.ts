import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { sessionLimits } from './db'
import { migrate, migrateWithin } from './migrate'
import { listMigrations } from './migration-files'
import { emptyDatabaseUrl } from './testing'

const items = 20_000
const plays = 4_000
/** A statement of the older program has 30 s, at 100,000 items: a fifth of them holds it up for a fifth as long. */
const limits = { ...sessionLimits, statement_timeout: sessionLimits.statement_timeout / 5 }
const url = await emptyDatabaseUrl()

/**
 * The schema of commit 43253f5, the first that others have had, under the statements of its program: a migration that
 * drops what they name, or holds a table for longer than a statement may take, fails here.
 */
test(`a library of ${items} items is migrated while an older program reads and writes it, without an error`, async () => {
  const oldest = listMigrations().find(({ name }) => name === '0009_library_indexes')
  const old = connect(url, { max: 4, connection: { application_name: 'nocturne', ...limits } })
  await old.begin((tx) => migrateWithin(tx, { until: oldest?.madeAtMs ?? 0 }))
  await fill(old)

  const program = startOldProgram(old)
  await program.rounds(3)
  await migrate(url)
  await program.rounds(3)
  const { errors, written } = await program.stop()

  expect(errors).toEqual([])
  expect(written).toBeGreaterThanOrEqual(6)
  const [sums] = await old`
    select count(*)::int as items, count(*) filter (where minutes = duration)::int as measured,
      count(*) filter (where cardinality(words) > 1)::int as worded from stories`
  expect(sums).toEqual({ items: items + written, measured: items + written, worded: items + written })
  const [totals] = await old`select sum(views)::int as views from item_totals`
  expect(totals?.views).toBe(plays + written)
  expect(await old`select from pg_index where not indisvalid`).toHaveLength(0)
  await old.end()
}, 120_000)

async function fill(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into users (id, email) select md5('member' || n)::uuid, 'member-' || n || '@example.com' from generate_series(1, 200) n;
    insert into stories (id, source, status, slug, title, title_key, content, duration)
      select md5('item' || n)::uuid, case when n % 5 = 0 then 'pre_uploaded' else 'user_generated' end, 'published', 'item-' || n, 'Item ' || n, 'item ' || n, 'Rain on the roof', n % 60
      from generate_series(1, ${items}) n;
    insert into playback_sessions (id, story_id, session_id, day)
      select gen_random_uuid(), md5('item' || n)::uuid, 'listener ' || n, current_date from generate_series(1, ${plays}) n;
    analyze`)
}

/** A program that reads and writes as the one of that schema does, round by round, until it is stopped. */
function startOldProgram(sql: Sql) {
  const errors: unknown[] = []
  let done = 0
  let isStopping = false
  const working = (async () => {
    while (!isStopping) {
      await round(sql).catch((error) => errors.push(error))
      done += 1
      // Not to wait for anything: at full speed it would take the processor that the migration needs.
      await Bun.sleep(30)
    }
  })()
  return {
    async rounds(count: number) {
      const wanted = done + count
      await until(() => done >= wanted)
    },
    async stop() {
      isStopping = true
      await working
      return { errors, written: done }
    },
  }
}

async function round(sql: Sql): Promise<void> {
  const [id, listener] = [randomUUID(), randomUUID()]
  await sql.begin(async (tx) => {
    await tx`
      insert into stories (id, type, source, status, slug, title, title_key, description, excerpt, content, word_count, categories, tags, content_notes, duration, voice)
      values (${id}, 'story', 'pre_uploaded', 'published', ${id}, 'New tonight', 'new tonight', '', '', 'Snow on the sill', 4, '{}', '{}', '{}', 12, 'female')`
    await tx`insert into playback_sessions (id, story_id, session_id, day) values (${randomUUID()}, ${id}, ${listener}, current_date)`
  })
  const [member] = await sql<{ id: string }[]>`select id from users order by random() limit 1`
  await Promise.all([
    sql`insert into votes (id, story_id, user_id, vote_type) values (${randomUUID()}, ${id}, ${member?.id ?? ''}, 'up')`,
    sql`insert into openings (reader_id, story_id) values (${listener}, ${id})`,
    sql`update stories set title = 'New this evening', updated_at = now() where id = ${id}`,
    sql`select id, type, slug, title, preview, duration, upvotes from stories
      where type = 'story' and status = 'published' and source = 'pre_uploaded' order by duration, id limit 20`,
    sql`select id, title from stories where search @@ to_tsquery('simple', 'evening:*') and status = 'published' limit 20`,
  ])
}
