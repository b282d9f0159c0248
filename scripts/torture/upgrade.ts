import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { connect } from '#db/connect'
import { sessionLimits } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { migrate, migrateWithin } from '#db/migrate'
import { listMigrations } from '#db/migration-files'
import { type Outcome, outcomeOf } from './report'

export type LibrarySize = { items: number; plays: number }

/** The size at which the older program's statements have their real limit of thirty seconds. */
export const fullLibrary: LibrarySize = { items: 100_000, plays: 500_000 }
export const smallLibrary: LibrarySize = { items: 20_000, plays: 4_000 }

/** Upgrades a library in a PostgreSQL of its own. */
export async function upgradeLibrary(size: LibrarySize): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-upgrade-'))
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  try {
    return await upgradeUnderLoad(embedded.url, size)
  } finally {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Migrates an empty database from the schema of commit 43253f5, the first that others have had, while statements of
 * that program read and write a library in it. They fail if a migration drops what they name, or holds a table longer
 * than a statement may take. In a smaller library their time limit is proportionally shorter.
 */
export async function upgradeUnderLoad(url: string, size: LibrarySize): Promise<Outcome> {
  const statement_timeout = (sessionLimits.statement_timeout * size.items) / fullLibrary.items
  const limits = { ...sessionLimits, statement_timeout }
  const filling = connect(url, { max: 1 })
  await filling.begin((tx) => migrateWithin(tx, { until: oldestMadeAtMs() }))
  await fill(filling, size)
  await filling.end()

  const old = connect(url, { max: 4, connection: { application_name: 'nocturne', ...limits } })
  const program = startOldProgram(old)
  await program.rounds(3)
  const startedAt = performance.now()
  await migrate(url)
  const seconds = (performance.now() - startedAt) / 1_000
  await program.rounds(3)
  const { errors, written } = await program.stop()
  const lost = [...errors.map(String), ...(await findFaults(old, size, written))]
  await old.end()
  return outcomeOf('an upgrade under load', {
    tried: 1,
    survived: errors.length === 0 ? 1 : 0,
    acknowledged: written,
    lost,
    note: `${size.items} items and ${size.plays} plays migrated in ${seconds.toFixed(0)} s`,
  })
}

function oldestMadeAtMs(): number {
  return listMigrations().find(({ name }) => name === '0009_library_indexes')?.madeAtMs ?? 0
}

async function fill(sql: Sql, { items, plays }: LibrarySize): Promise<void> {
  await sql.unsafe(`
    set statement_timeout = 0;
    insert into users (id, email) select md5('member' || n)::uuid, 'member-' || n || '@example.com' from generate_series(1, 200) n;
    insert into stories (id, source, status, slug, title, title_key, content, duration)
      select md5('item' || n)::uuid, case when n % 5 = 0 then 'pre_uploaded' else 'user_generated' end, 'published', 'item-' || n, 'Item ' || n, 'item ' || n, 'Rain on the roof', n % 60
      from generate_series(1, ${items}) n;
    insert into playback_sessions (id, story_id, session_id, day)
      select gen_random_uuid(), md5('item' || (1 + n % ${items}))::uuid, 'listener ' || n, current_date from generate_series(1, ${plays}) n;
    analyze`)
}

/** Returns a sentence for each thing that an upgrade has left undone or has lost. */
async function findFaults(sql: Sql, size: LibrarySize, written: number): Promise<string[]> {
  const [items] = await sql<{ there: number; measured: number; worded: number }[]>`
    select count(*)::int as there, count(*) filter (where minutes = duration)::int as measured,
      count(*) filter (where cardinality(words) > 1)::int as worded from stories`
  const [totals] = await sql<{ views: number }[]>`select sum(views)::int as views from item_totals`
  const [indexes] = await sql<
    { broken: number }[]
  >`select count(*)::int as broken from pg_index where not indisvalid`
  const expected = {
    there: size.items + written,
    measured: size.items + written,
    worded: size.items + written,
    views: size.plays + written,
    broken: 0,
  }
  const found: Record<string, number | undefined> = { ...items, ...totals, ...indexes }
  return Object.entries(expected).flatMap(([name, count]) =>
    found[name] === count ? [] : [`${name}: ${found[name]} in place of ${count}`],
  )
}

/** Reads and writes as the program of that schema does, round by round, until it is stopped. */
function startOldProgram(sql: Sql) {
  const errors: unknown[] = []
  let done = 0
  let isStopping = false
  let next = Promise.withResolvers<void>()
  const working = (async () => {
    while (!isStopping) {
      await round(sql).catch((error) => errors.push(error))
      done += 1
      next.resolve()
      next = Promise.withResolvers()
      // A pause to slow it down: at full speed it would take the processor time that the migration needs.
      await Bun.sleep(30)
    }
  })()
  return {
    async rounds(count: number) {
      for (let at = 0; at < count; at += 1) await next.promise
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
