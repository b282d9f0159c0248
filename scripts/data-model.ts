import { join } from 'node:path'
import { getTableColumns, is, SQL } from 'drizzle-orm'
import {
  type ForeignKey,
  getTableConfig,
  type PgColumn,
  PgDialect,
  PgTable,
  type UpdateDeleteAction,
} from 'drizzle-orm/pg-core'
import * as schema from '#db/schema'
import { listedMemberTables } from '#src/personal-data/registry'

/** Writes docs/data-model.md from db/tables and their comments. A test fails if the two differ. */
const root = join(import.meta.dir, '..')
export const dataModelPath = join(root, 'docs/data-model.md')

const comment = String.raw`\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*`
const commentedTable = new RegExp(
  String.raw`${comment}export const \w+ = pgTable\(\s*'(\w+)'(?:(?!\n\/\*\*|\nexport )[\s\S])*`,
  'g',
)
const commentedColumn = new RegExp(String.raw`${comment}(\w+): `, 'g')

type Comments = { noun: string; words: string; columns: Map<string, string> }
type Table = ReturnType<typeof getTableConfig> & { comments: Comments; properties: Map<PgColumn, string> }

if (import.meta.main) await Bun.write(dataModelPath, await describeDataModel())

/** Returns the page as Markdown. Throws if a table has no comment. */
export async function describeDataModel(): Promise<string> {
  const tables = await listTables()
  const nouns = [...new Set(tables.map(({ comments }) => comments.noun))]
  return [
    '# Data model',
    'Written by `bun run data-model` from `db/tables/` and its comments: change those, then run it again.',
    'Ids are UUIDs of version 7, made by the program, unless a column says otherwise. Instants are UTC.',
    'An arrow points from a table to the one that its rows belong to.',
    ['```mermaid', 'flowchart LR', ...new Set(tables.flatMap(arrowsOf)), '```'].join('\n'),
    ...nouns.flatMap((noun) => [
      `## ${capitalised(noun)} (\`db/tables/${noun}.ts\`)`,
      ...tables.filter(({ comments }) => comments.noun === noun).flatMap((table) => describe(table, tables)),
    ]),
    '',
  ].join('\n\n')
}

async function listTables(): Promise<Table[]> {
  const comments = await readComments()
  return Object.values(schema)
    .filter((each) => is(each, PgTable))
    .map((table) => {
      const config = getTableConfig(table)
      const found = comments.get(config.name)
      if (!found) throw new Error(`${config.name} has no comment in db/tables. Say in one what it holds.`)
      const properties = Object.entries(getTableColumns(table)).map(
        ([name, column]) => [column, name] as const,
      )
      return { ...config, comments: found, properties: new Map(properties) }
    })
    .sort((one, other) => one.comments.noun.localeCompare(other.comments.noun))
}

/** Reads the comment above each table and column from the source, because drizzle does not expose it. */
async function readComments(): Promise<Map<string, Comments>> {
  const comments = new Map<string, Comments>()
  for await (const file of new Bun.Glob('*.ts').scan(join(root, 'db/tables'))) {
    const source = await Bun.file(join(root, 'db/tables', file)).text()
    for (const [whole, words = '', name = ''] of source.matchAll(commentedTable)) {
      const columns = [...whole.matchAll(commentedColumn)].map(
        ([, comment = '', property = '']) => [property, textOf(comment)] as const,
      )
      comments.set(name, { noun: file.replace('.ts', ''), words: textOf(words), columns: new Map(columns) })
    }
  }
  return comments
}

function textOf(words: string): string {
  return words.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim()
}

function arrowsOf({ name, foreignKeys }: Table): string[] {
  return foreignKeys.map((key) => `  ${name} --> ${targetOf(key)}`)
}

function describe(table: Table, all: readonly Table[]): string[] {
  return [
    `### ${table.name}`,
    table.comments.words,
    [
      '| column | type | rules | meaning |',
      '| --- | --- | --- | --- |',
      ...table.columns.map((column) => `| ${cellsOf(column, table).join(' | ')} |`),
    ].join('\n'),
    notesOf(table, all)
      .map((each) => `- ${each}`)
      .join('\n'),
  ].filter(Boolean)
}

function cellsOf(column: PgColumn, table: Table): string[] {
  const words = table.comments.columns.get(table.properties.get(column) ?? '') ?? ''
  const type = column.enumValues?.length
    ? column.enumValues.join(', ')
    : column.getSQLType().replace('timestamp with time zone', 'timestamptz')
  return [`\`${column.name}\``, type, rulesOf(column, table).join('; '), words.replaceAll('|', '\\|')]
}

function rulesOf(column: PgColumn, { foreignKeys }: Table): string[] {
  const key = foreignKeys.find((each) => each.reference().columns.includes(column))
  return [
    column.primary ? 'primary key' : column.notNull ? '' : 'may be null',
    column.isUnique ? 'unique' : '',
    key ? `of \`${targetOf(key)}\`` : '',
    column.generated ? 'generated' : '',
    defaultOf(column),
  ].filter(Boolean)
}

function defaultOf({ default: value }: PgColumn): string {
  if (value === undefined) return ''
  return `default \`${is(value, SQL) ? new PgDialect().sqlToQuery(value).sql : JSON.stringify(value)}\``
}

/** Describes keys of several columns, cascades, and what happens to a row when a member leaves. */
function notesOf({ name, primaryKeys, indexes, uniqueConstraints }: Table, all: readonly Table[]): string[] {
  const named = (columns: readonly object[]) =>
    columns.map((each) => ('name' in each ? `\`${each.name}\`` : 'an expression')).join(', ')
  const uniqueIndexes = indexes
    .filter(({ config }) => config.unique)
    .map(({ config }) => {
      const where = config.where ? `, where ${new PgDialect().sqlToQuery(config.where).sql}` : ''
      return `Unique: ${named(config.columns)}${where}.`
    })
  return [
    ...primaryKeys.map(({ columns }) => `Primary key: ${named(columns)}.`),
    ...uniqueConstraints.map(({ columns }) => `Unique: ${named(columns)}.`),
    ...uniqueIndexes,
    ...goesWith(name, 'cascade', all).map((tables) => `Deleting a row deletes its ${tables}.`),
    ...goesWith(name, 'set null', all).map((tables) => `Deleting a row leaves its ${tables} without it.`),
    ...goesWith(name, 'no action', all).map((tables) => `A row cannot be deleted while it has ${tables}.`),
    ...listedMemberTables.filter(({ table }) => table === name).map(ofMember),
  ]
}

/** Returns at most one list of names. */
function goesWith(name: string, action: UpdateDeleteAction, all: readonly Table[]): string[] {
  const names = all
    .filter(({ foreignKeys }) =>
      foreignKeys.some((key) => targetOf(key) === name && (key.onDelete ?? 'no action') === action),
    )
    .map((each) => `\`${each.name}\``)
  return names.length > 0 ? [names.join(', ')] : []
}

function ofMember({ words, remove, merge, opens }: (typeof listedMemberTables)[number]): string {
  const end =
    remove === 'with the account'
      ? 'deleted with the account'
      : remove === 'cleared'
        ? 'cleared with the history and with the account'
        : 'deleted, or made nameless, with the account by a statement of its own'
  const merged = merge
    ? `; a visitor's rows become the member's at ${merge === 'rollup' ? 'the next rollup' : merge}`
    : ''
  return `A member's data (“${words}”): ${end}${merged}.${opens ? ' It opens the account.' : ''}`
}

function targetOf(key: ForeignKey): string {
  return getTableConfig(key.reference().foreignTable).name
}

function capitalised(noun: string): string {
  return noun[0]?.toUpperCase() + noun.slice(1).replaceAll('-', ' ')
}
