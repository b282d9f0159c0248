import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { sql } from 'drizzle-orm'
import { testDatabase } from '#db/testing'
import { accessTables } from '#src/personal-data/rules'
import { listedMemberTables, memberTables } from './registry'

const db = await testDatabase()
const isListed = (table: string) => table in memberTables

/**
 * Tables that are not of members, but have a column that looks as if it named one: what the column contains instead.
 */
const others: Record<string, string> = {
  feature_flags: 'updated_by: an operator',
  import_drafts: 'owner: an operator',
  imports: 'by: an operator',
}

type Column = { table: string; column: string; refersTo: string | null }

/** Lists the columns of every table that is not a partition. */
async function listColumns(): Promise<Column[]> {
  const rows = await db.execute<Column>(sql`
    select relation.relname as table, part.attname as column, target.relname as "refersTo"
    from pg_class as relation
    join pg_attribute as part on part.attrelid = relation.oid and part.attnum > 0 and not part.attisdropped
    left join pg_constraint as reference on reference.conrelid = relation.oid and reference.contype = 'f'
      and part.attnum = any(reference.conkey)
    left join pg_class as target on target.oid = reference.confrelid
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
      and not relation.relispartition
    order by 1, 2`)
  return [...rows]
}
const columns = await listColumns()

const mayNameSomebody =
  /(^|_)(user|member|anon|reader|listener|visitor|owner|author|actor|subject|reporter)(_id)?$|(^|_)email$|(^|_)by$/
const mayOpenSomething = /password|pin_|^sid$|token|secret|sealed|credential|public_key|endpoint|hash$/
/** Hashes of texts, audio and addresses. */
const opensNothing = /^(text|audio|ip|dedupe)_hash$/

describe('tables with members’ data', () => {
  /** The columns that may name a member in a table that the registry does not cover. */
  const unregistered = (all: readonly Column[]) =>
    all
      .filter(({ column, refersTo }) => refersTo === 'users' || mayNameSomebody.test(column))
      .filter(({ table }) => !isListed(table) && !(table in others))
      .map(({ table, column }) => `${table}.${column}`)

  test('are registered when a foreign key or a column’s name refers to members', () => {
    expect(unregistered(columns)).toEqual([])
  })

  test('are found when new, and the list of exceptions has no obsolete entry', async () => {
    await db.execute(sql`create table harbours (keeper uuid references users (id), anon_id text, name text)`)
    try {
      expect(unregistered(await listColumns())).toEqual(['harbours.anon_id', 'harbours.keeper'])
    } finally {
      await db.execute(sql`drop table harbours`)
    }
    const named = columns.filter(({ column }) => mayNameSomebody.test(column)).map(({ table }) => table)
    expect(Object.keys(others).filter((table) => !named.includes(table) || isListed(table))).toEqual([])
  })

  test('are registered when they reference members’ items or sessions, except published content', () => {
    const published = ['audit_items', 'challenge_flows', 'demo_items', 'item_days', 'item_totals']
    const found = columns
      .filter(({ refersTo }) => refersTo !== null && refersTo !== 'users' && isListed(refersTo))
      .map(({ table }) => table)
    expect([...new Set(found)].filter((table) => !isListed(table)).sort()).toEqual(published)
  })

  test('exist in the database when they are registered', () => {
    const known = new Set(columns.map(({ table }) => table))
    expect(listedMemberTables.map(({ table }) => table).filter((table) => !known.has(table))).toEqual([])
  })
})

describe('registry entries that give access to an account', () => {
  test('withhold secrets from exports and state what ends them', () => {
    for (const { table, withheld = [], opens } of listedMemberTables) {
      const secret = columns
        .filter((each) => each.table === table)
        .map(({ column }) => column)
        .filter((column) => mayOpenSomething.test(column) && !opensNothing.test(column))
      expect([table, secret.filter((column) => !withheld.includes(column))]).toEqual([table, []])
      if (secret.length > 0) expect([table, (opens?.endedBy.length ?? 0) > 0]).toEqual([table, true])
    }
  })

  test('end with a recovery by an unproven address', () => {
    for (const { table, opens } of listedMemberTables)
      if (opens) expect([table, opens.endedBy.includes('unproven-recovery')]).toEqual([table, true])
  })
})

test('tables deleted with the account are reached by cascading foreign keys', async () => {
  const cascades = await db.execute<{ table: string; refersTo: string }>(sql`
    select source.relname as table, target.relname as "refersTo" from pg_constraint
    join pg_class as source on source.oid = conrelid join pg_class as target on target.oid = confrelid
    where contype = 'f' and confdeltype = 'c'`)
  const goes = new Set(['users'])
  for (let before = 0; before < goes.size; ) {
    before = goes.size
    for (const { table, refersTo } of cascades) if (goes.has(refersTo)) goes.add(table)
  }
  for (const { table, remove } of listedMemberTables)
    if (remove === 'with the account') expect([table, goes.has(table)]).toEqual([table, true])
})

test('accessTables lists exactly the entries that give access', () => {
  const opening = listedMemberTables.filter(({ opens }) => opens).map(({ table }) => String(table))
  expect(opening.sort()).toEqual([...accessTables].sort())
})

test('entries removed by clearing the history define how', () => {
  for (const { table, remove, clear } of listedMemberTables)
    if (remove === 'cleared') expect([table, clear !== undefined]).toEqual([table, true])
})

test('every change of a password or email calls endAccess', async () => {
  const changing: string[] = []
  for await (const file of new Glob('**/*.{ts,tsx}').scan(join(import.meta.dir, '..'))) {
    if (/test/.test(file)) continue
    const source = await Bun.file(join(import.meta.dir, '..', file)).text()
    const changes = source.matchAll(/update\(users\)\s*\.set\(\{([^)]*)/g)
    if (![...changes].some(([, set = '']) => /\b(password|email)\b/.test(set))) continue
    changing.push(file)
    expect([file, source.includes('endAccess(')]).toEqual([file, true])
  }
  expect(changing.sort()).toEqual([
    'member/email/change-email.ts',
    'member/recovery/reset-password.ts',
    'member/settings/account.ts',
  ])
})
