import type { TransactionSql } from 'postgres'
import { columnsLeftOut } from './rules'

/** A table as the database's catalogue describes it. The database has quoted the fields named `…Sql`. */
export type CatalogueTable = {
  name: string
  sql: string
  /** The columns in their order, except generated and derived ones, which the database writes itself. */
  columns: string[]
  columnsSql: string
  /** Orders rows by the primary key, the same on every server, whatever its collation. */
  orderSql: string
  /** Null for a table that is not a partition. */
  parent: string | null
  bound: string | null
}

/** Fixes the format of values for both sides of a backup, whatever the server's and the role's settings are. */
export async function fixFormats(tx: TransactionSql): Promise<void> {
  await tx.unsafe(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = '20s';
    set local timezone = 'UTC';
    set local datestyle = 'ISO, MDY';
    set local intervalstyle = 'postgres';
    set local extra_float_digits = 1;
    set local bytea_output = 'hex'`)
}

/**
 * Lists the tables of the schema that hold rows, each partition separately. A table comes after those that its foreign
 * keys refer to.
 */
export async function listTables(tx: TransactionSql): Promise<CatalogueTable[]> {
  const tables = await tx<CatalogueTable[]>`
    select c.relname::text as name, format('public.%I', c.relname) as sql,
      array_agg(a.attname::text order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as "columnsSql",
      coalesce((
        select string_agg(quote_ident(k.attname) || case when k.attcollation <> 0 then ' collate "C"' else '' end, ', ' order by place)
        from pg_index i, unnest(i.indkey) with ordinality as key(number, place), pg_attribute k
        where i.indrelid = c.oid and i.indisprimary and k.attrelid = c.oid and k.attnum = key.number
      ), 'whole_row::text collate "C"') as "orderSql",
      (select p.relname::text from pg_inherits h join pg_class p on p.oid = h.inhparent where h.inhrelid = c.oid) as parent,
      pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence <> 't'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname || '.' || a.attname not in ${tx(columnsLeftOut)}
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.oid order by c.relname`
  const references = await tx<{ from: string; to: string }[]>`
    select distinct f.relname::text as from, t.relname::text as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = 'public'::regnamespace and f.oid <> t.oid`
  return inOrder(tables, references)
}

/** Lists the sequences that have been used, each with its last number. */
export async function listSequences(tx: TransactionSql): Promise<{ name: string; value: string }[]> {
  return await tx<{ name: string; value: string }[]>`
    select sequencename::text as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`
}

function inOrder(
  tables: readonly CatalogueTable[],
  references: readonly { from: string; to: string }[],
): CatalogueTable[] {
  const waiting = new Set(tables)
  const isWaiting = (name: string) => [...waiting].some((table) => table.name === name)
  const ordered: CatalogueTable[] = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && isWaiting(to)),
    )
    if (ready.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${[...waiting].map(({ name }) => name)}`)
    for (const table of ready) waiting.delete(table)
    ordered.push(...ready)
  }
  return ordered
}
