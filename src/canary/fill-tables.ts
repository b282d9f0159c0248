import { getTableName, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { newId } from '#db/columns'
import type { Database } from '#db/db'
import * as schema from '#db/schema'
import { sessionRanges } from '#src/analytics/rules'

/** A word that occurs in no path, statement or message of ours. */
export const canary = 'kestrel71'

export const tables: PgTable[] = Object.values<unknown>(schema).filter((each) => is(each, PgTable))

/** Generated file names and internal states, which users do not write. */
const ours = ['jobs.state', 'audio_files.hash', 'narrations.audio_hash', 'import_draft_files.hash']

/**
 * The columns that can hold user content: texts, lists of texts and JSON, except those limited to a fixed list of
 * values.
 */
function writtenColumns(table: PgTable): PgColumn[] {
  return getTableConfig(table).columns.filter(
    (column) =>
      !column.generated &&
      !column.enumValues?.length &&
      !ours.includes(`${getTableName(table)}.${column.name}`) &&
      /^(text(\[\])?|jsonb)$/.test(column.getSQLType()),
  )
}

/** Values whose format the program relies on and no caller can change, with the canary in them if possible. */
const forms: Readonly<Record<string, unknown>> = {
  'jobs.state': 'done',
  'model_config.openai_api_url': `https://${canary}.example.com/v1`,
  'model_config.runpod_api_url': `https://${canary}.example.com/v1`,
  'passkeys.credential_id': `${canary}_passkeys`,
  'analytics_days.session_counts': sessionRanges.map(() => 1),
}

type Row = Record<string, unknown>

/** Inserts a row with a canary in every field into every table, after the tables that it references. */
export async function fillTables(db: Database): Promise<void> {
  const rows = new Map<string, Row>()
  let waiting = tables
  while (waiting.length > 0) {
    const [ready, later] = [
      waiting.filter((each) => parentsOf(each).every((name) => rows.has(name))),
      waiting,
    ]
    if (ready.length === 0) throw new Error('The tables hang on each other in a circle.')
    for (const table of ready) {
      const row = rowOf(table, rows)
      await insert(db, table, row)
      rows.set(getTableName(table), row)
    }
    waiting = later.filter((each) => !ready.includes(each))
  }
}

function referencesOf(table: PgTable) {
  return getTableConfig(table).foreignKeys.map((key) => key.reference())
}

function parentsOf(table: PgTable): string[] {
  return referencesOf(table)
    .map(({ foreignTable }) => getTableName(foreignTable))
    .filter((name) => name !== getTableName(table))
}

function rowOf(table: PgTable, rows: ReadonlyMap<string, Row>): Row {
  const referred = new Map(
    referencesOf(table).flatMap(({ columns, foreignTable, foreignColumns }) =>
      columns.map((column, at) => [
        column.name,
        rows.get(getTableName(foreignTable))?.[foreignColumns[at]?.name ?? ''],
      ]),
    ),
  )
  const columns = getTableConfig(table).columns.filter(
    (column) => !column.generated && !column.generatedIdentity,
  )
  return Object.fromEntries(
    columns.map((column) => [column.name, referred.get(column.name) ?? valueFor(table, column)]),
  )
}

function valueFor(table: PgTable, column: PgColumn): unknown {
  const word = `${canary} of ${getTableName(table)} ${column.name}`
  const type = column.getSQLType()
  const form = forms[`${getTableName(table)}.${column.name}`]
  if (form !== undefined) return form
  if (column.enumValues?.length) return type.endsWith('[]') ? [column.enumValues[0]] : column.enumValues[0]
  if (ours.includes(`${getTableName(table)}.${column.name}`)) return 'f'.repeat(64)
  if (type === 'text') return word
  if (type === 'text[]') return [word]
  if (type === 'jsonb') return { [canary]: word }
  if (type === 'uuid') return newId()
  if (type === 'boolean') return true
  if (type === 'date') return '2026-01-02'
  if (type.startsWith('timestamp')) return new Date(Date.now() + 60_000).toISOString()
  return type.endsWith('[]') ? [1] : 1
}

async function insert(db: Database, table: PgTable, row: Row): Promise<void> {
  const name = sql.identifier(getTableName(table))
  const columns: SQL = sql.join(
    Object.keys(row).map((each) => sql.identifier(each)),
    sql`, `,
  )
  // A migration may have inserted rows already.
  await db.execute(
    sql`insert into ${name} (${columns}) select ${columns} from jsonb_populate_record(null::${name}, ${JSON.stringify(row)}::text::jsonb) on conflict do nothing`,
  )
}

/** Finds the columns without a canary. There must be none: the test would not see what they leak. */
export async function findEmptyColumns(db: Database): Promise<string[]> {
  const columns = tables.flatMap((table) => writtenColumns(table).map((column) => ({ table, column })))
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const [row] = await db.execute<{ is_there: boolean }>(
        sql`select exists (select from ${table} where ${column}::text ilike ${`%${canary}%`}) as is_there`,
      )
      return row?.is_there ? [] : [`${getTableName(table)}.${column.name}`]
    }),
  )
  return found.flat()
}
