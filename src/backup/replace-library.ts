import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type { Sql, TransactionSql } from 'postgres'
import { newId } from '#db/columns'
import { lockIds } from '#db/locks'
import { migrateWithin } from '#db/migrate'
import * as schema from '#db/schema'
import { AppError } from '#src/app-error'
import { type CatalogueTable, fixFormats, listTables } from './catalogue'
import { copyIn, countTable } from './copy-rows'
import type { Manifest, TableInBackup } from './manifest'
import { tablesFilledByMigrations, tablesLeftOut } from './rules'

export type Replacement = {
  manifest: Manifest
  /** Called after all checks, before anything in the database changes. */
  storeAudio: () => Promise<void>
  rowsOf: (table: TableInBackup) => AsyncIterable<Uint8Array>
  /** Replaces an existing library. */
  force: boolean
  by: string
  onProgress?: (step: string, done: number, total: number) => void
  /** Ends the connection, which rolls the replacement back. */
  stop?: AbortSignal | undefined
}

/**
 * Replaces the database's tables with those of a backup, in one transaction: creates the schema of its version, inserts
 * its rows, compares every table with the manifest, and runs the later migrations. On any failure the database stays as
 * it was. Throws `conflict` if another client is connected or there is a library already.
 */
export async function replaceLibrary(sql: Sql, replacement: Replacement): Promise<void> {
  const { manifest, by, stop } = replacement
  const hangUp = () => void sql.end({ timeout: 0 })
  stop?.addEventListener('abort', hangUp)
  const work = sql.begin(async (tx) => {
    await fixFormats(tx)
    await takeLock(tx)
    await requireNoOtherClients(tx)
    await requireReplaceable(tx, replacement)
    await replacement.storeAudio()
    await dropTables(tx)
    await migrateWithin(tx, { until: manifest.migration.madeAtMs })
    await fill(tx, replacement)
    await migrateWithin(tx, { after: manifest.migration.madeAtMs })
    await queueAgain(tx)
    await tx`
      insert into audit_log (id, actor, action, subject_type, after)
      values (${newId()}::uuid, ${by}, 'restore', 'library', ${JSON.stringify({ madeAt: manifest.madeAt })}::text::jsonb)`
    // From here on it no longer interrupts: a COMMIT without an answer may have succeeded.
    stop?.removeEventListener('abort', hangUp)
  })
  await work.finally(() => stop?.removeEventListener('abort', hangUp))
}

/** Gathers the planner's statistics, which copied rows do not have. */
export async function analyze(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`analyze`
  })
}

/** Takes the lock of migrations, so that a server that starts meanwhile waits until the restore has finished. */
async function takeLock(tx: TransactionSql): Promise<void> {
  const [row] = await tx<
    { taken: boolean }[]
  >`select pg_try_advisory_xact_lock(${lockIds.migrations}) as taken`
  if (row?.taken) return
  throw new AppError(
    'conflict',
    'Another Nocturne is starting on this database. Stop it, then restore again.',
  )
}

/**
 * Throws if another client is connected: a running server caches much in memory. A connection that has just been closed
 * gets a second to disappear.
 */
async function requireNoOtherClients(tx: TransactionSql): Promise<void> {
  const deadline = Date.now() + 1_000
  for (;;) {
    const others = await tx<{ name: string }[]>`
      select distinct coalesce(nullif(application_name, ''), 'a program without a name') as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null`
    if (others.length === 0) return
    if (Date.now() > deadline)
      throw new AppError(
        'conflict',
        `The database is in use (${others.map(({ name }) => name).join(', ')}). Stop the server and whatever else is connected, a pooler too, then restore again.`,
      )
    await Bun.sleep(50)
    await tx`select pg_stat_clear_snapshot()`
  }
}

/**
 * Throws unless the database's tables can be dropped. Only our own tables ever are, and only if they are empty or
 * `force` is given.
 */
async function requireReplaceable(tx: TransactionSql, { force }: Replacement): Promise<void> {
  const tables = await listTables(tx)
  const strange = tables.filter(({ name, parent }) => !ownTables.has(parent ?? name))
  if (strange.length > 0)
    throw new AppError(
      'conflict',
      `The database holds tables that this Nocturne does not know (${strange.map(({ name }) => name).join(', ')}). Restore into a database of its own.`,
    )
  if (force) return
  const ignored = [...tablesLeftOut, ...tablesFilledByMigrations]
  for (const { name, sql } of tables.filter((table) => !ignored.includes(table.name))) {
    const [row] = await tx.unsafe<{ isFilled: boolean }[]>(`select exists (select from ${sql}) as "isFilled"`)
    if (row?.isFilled)
      throw new AppError(
        'conflict',
        `There is a library in this database already (${name} has rows). Add --force to replace all of it, or restore into an empty one.`,
      )
  }
}

const ownTables: ReadonlySet<string> = new Set(
  Object.values(schema).flatMap((each) => (is(each, PgTable) ? [getTableName(each)] : [])),
)

/** Drops tables, our functions and the journal of migrations; other objects in the database stay. */
async function dropTables(tx: TransactionSql): Promise<void> {
  const tables = await tx<{ sql: string }[]>`
    select format('public.%I', relname) as sql from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname in ${tx([...ownTables])}`
  if (tables.length > 0) await tx.unsafe(`drop table ${tables.map(({ sql }) => sql).join(', ')}`)
  const functions = await tx<{ sql: string }[]>`
    select oid::regprocedure::text as sql from pg_proc
    where pronamespace = 'public'::regnamespace and starts_with(proname, 'nocturne_')`
  if (functions.length > 0) await tx.unsafe(`drop function ${functions.map(({ sql }) => sql).join(', ')}`)
  await tx`drop table if exists drizzle.__drizzle_migrations`
}

async function fill(tx: TransactionSql, { manifest, rowsOf, onProgress }: Replacement): Promise<void> {
  await makePartitions(tx, manifest)
  const tables = await listTables(tx)
  const pairs = pairUp(tables, manifest)
  // A migration may have inserted rows, which are removed here.
  await tx.unsafe(`truncate ${tables.map(({ sql }) => sql).join(', ')}`)
  for (const { table } of pairs) await stopSums(tx, table)
  for (const [at, { table, expected }] of pairs.entries()) {
    await copyIn(tx, table, rowsOf(expected))
    onProgress?.('tables', at + 1, pairs.length)
  }
  for (const { table } of pairs) await tx.unsafe(`alter table ${table.sql} enable trigger user`)
  for (const { name, value } of manifest.sequences)
    await tx`select setval(format('public.%I', ${name}::text)::regclass, ${value}::text::bigint)`
  for (const [at, { table, expected }] of pairs.entries()) {
    const { rows, sha256 } = await countTable(tx, table)
    if (rows !== expected.rows || sha256 !== expected.sha256)
      throw new Error(
        `Table ${table.name} holds something else after the restore; the database was left as it was.`,
      )
    onProgress?.('comparing', at + 1, pairs.length)
  }
}

/**
 * Disables the user triggers of a table that maintain sums: the sums are in the backup, and the triggers would count
 * the rows twice. Triggers that complete a row before it is inserted stay enabled. So do the checks of foreign keys,
 * which are not "user" triggers.
 */
async function stopSums(tx: TransactionSql, { sql }: CatalogueTable): Promise<void> {
  await tx.unsafe(`alter table ${sql} disable trigger user`)
  const completing = await tx.unsafe<{ name: string }[]>(`
    select quote_ident(tgname) as name from pg_trigger
    where tgrelid = '${sql}'::regclass and not tgisinternal and tgtype & 2 = 2`)
  for (const { name } of completing) await tx.unsafe(`alter table ${sql} enable trigger ${name}`)
}

/**
 * Pairs each table with that of the backup. Both must have exactly the same columns, or values would be inserted into
 * the wrong ones.
 */
function pairUp(
  tables: readonly CatalogueTable[],
  manifest: Manifest,
): { table: CatalogueTable; expected: TableInBackup }[] {
  const expected = new Map(manifest.tables.map((each) => [each.name, each]))
  const pairs = tables.flatMap((table) => {
    const found = expected.get(table.name)
    expected.delete(table.name)
    // The migrations create monthly partitions for today. If the backup does not have one of them, it stays empty.
    if (!found && (tablesLeftOut.includes(table.name) || table.parent !== null)) return []
    if (!found) throw unlike(`it has no table ${table.name}`)
    if (`${found.columns}` !== `${table.columns}`) throw unlike(`table ${table.name} has other columns`)
    return [{ table, expected: found }]
  })
  const [unknown] = expected.keys()
  if (unknown !== undefined) throw unlike(`table ${unknown} is none of its migration's`)
  return pairs
}

function unlike(why: string): AppError {
  return new AppError(
    'unreadable',
    `This backup does not fit the version it names: ${why}. Take another one.`,
  )
}

/** Creates the partitions of the backup; they come with time, not with migrations. */
async function makePartitions(tx: TransactionSql, { tables }: Manifest): Promise<void> {
  for (const { name, partition } of tables)
    if (partition)
      await tx.unsafe(
        `create table if not exists public.${name} partition of public.${partition.of} ${partition.bound}`,
      )
}

/** Queues the jobs that were running when the backup was made, since their workers are gone. */
async function queueAgain(tx: TransactionSql): Promise<void> {
  await tx`
    update jobs set state = 'queued', attempts = greatest(attempts - 1, 0), lease_id = null, leased_until = null, progress = 0
    where state = 'running'`
}
