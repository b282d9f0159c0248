import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testDatabase } from './testing'

const db = await testDatabase()

/** Foreign keys that need no index, with the reason. */
const unserved: Record<string, string> = {}

/** Returns `table(columns)` of each foreign key whose columns are not the first ones of a complete index. */
function listUnserved() {
  return db.execute<{ name: string }>(sql`
    select conrelid::regclass || '(' || string_agg(attname, ', ' order by place) || ')' as name
    from pg_constraint
      cross join unnest(conkey) with ordinality as key(number, place)
      join pg_attribute on attrelid = conrelid and attnum = key.number
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select 1 from pg_index
      where indrelid = conrelid and indisvalid
        and (indpred is null or pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)')
        and (select array_agg(number order by number) from unnest(conkey) as number)
          = (select array_agg(number order by number) from unnest((indkey::int2[])[0:cardinality(conkey) - 1]) as number))
    group by pg_constraint.oid, conrelid order by 1`)
}

test('every foreign key has an index, so that deletes do not scan the referencing table', async () => {
  expect((await listUnserved()).map(({ name }) => name)).toEqual(Object.keys(unserved).sort())
})
