import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import { testDatabase } from '#db/testing'
import { makePartitions, pruneAnalytics } from './partitions'

const db = await testDatabase()
afterEach(() => void setSystemTime())

test('creating a month’s partition moves that month’s rows out of the default partition', async () => {
  const dates = ['2030-02-28T23:59:59.999Z', '2030-03-05T12:00:00Z']
  for (const at of dates)
    await db.execute(sql`
      insert into analytics_events (id, timestamp, anon_id, event_type)
      values (${newId()}, ${at}::timestamptz, 'x', 'page_view')`)
  await db.execute(sql`
    insert into analytics_sittings (visitor, category, session_id, day, first_at, last_at)
    values ('x', '', '', '2030-03-05', ${dates[1]}::timestamptz, ${dates[1]}::timestamptz)`)
  const march = new Date('2030-03-10T00:00:00Z')
  await Promise.all([makePartitions(db, march), makePartitions(db, march)])
  const events = await db.execute(sql`
    select tableoid::regclass::text as table from analytics_events where timestamp > '2030-01-01' order by timestamp`)
  expect([...events]).toEqual([{ table: 'analytics_events_default' }, { table: 'analytics_events_2030_03' }])
  const sittings = await db.execute(sql`select tableoid::regclass::text as table from analytics_sittings`)
  expect([...sittings]).toEqual([{ table: 'analytics_sittings_2030_03' }])
})

test('pruning with a clock years ahead drops nothing that was counted', async () => {
  const before = [...(await db.execute(sql`select count(*) from pg_inherits`))]
  await db.execute(sql`
    insert into analytics_events (id, timestamp, anon_id, event_type) values (${newId()}, now(), 'of today', 'page_view')`)
  setSystemTime(new Date('2060-01-01T00:00:00Z'))
  expect(await pruneAnalytics(db)).toEqual({ droppedPartitions: [] })
  expect([...(await db.execute(sql`select count(*) from pg_inherits`))]).toEqual(before)
  expect(await db.execute(sql`select from analytics_events where anon_id = 'of today'`)).toHaveLength(1)
})

test('a new partition has the columns, indexes and constraints of the default partition', async () => {
  await makePartitions(db, new Date('2031-01-10T00:00:00Z'))
  for (const table of ['analytics_events', 'analytics_sittings', 'analytics_visits']) {
    const [made, first] = await Promise.all([readShape(`${table}_2031_01`), readShape(`${table}_default`)])
    expect(made).toEqual(first)
  }
})

/** A table's columns, indexes and constraints, without its own name. */
async function readShape(table: string): Promise<unknown> {
  const [row] = await db.execute<{ shape: string }>(sql`
    select json_build_array(
      (select json_agg((attname, atttypid, attnotnull, pg_get_expr(adbin, adrelid)) order by attnum) from pg_attribute
        left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = ${table}::regclass and attnum > 0),
      (select json_agg(pg_get_indexdef(indexrelid) order by pg_get_indexdef(indexrelid)) from pg_index where indrelid = ${table}::regclass),
      (select json_agg(pg_get_constraintdef(oid) order by pg_get_constraintdef(oid)) from pg_constraint where conrelid = ${table}::regclass)
    )::text as shape`)
  return row?.shape.replaceAll(table, 'partition').replaceAll(/_default|_\d{4}_\d{2}/g, '')
}
