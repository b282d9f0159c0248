import { expect, test } from 'bun:test'
import { Readable } from 'node:stream'
import type { TransactionSql } from 'postgres'
import { testDatabase } from '#db/testing'
import { fixFormats, listSequences, listTables } from './catalogue'
import { copyIn, copyOut, countTable } from './copy-rows'
import { openSnapshot } from './snapshot'

const { sql } = await testDatabase()

async function tableOf(tx: TransactionSql, name: string) {
  const table = (await listTables(tx)).find((each) => each.name === name)
  if (!table) throw new Error(`There is no table ${name}.`)
  return table
}

test('extreme values survive a copy, and generated columns are computed again', async () => {
  await sql.unsafe(`
    create table odd (
      id bigint generated always as identity, "a ""name""" text, plain text, many text[], nested int[][], bytes bytea,
      day date, moment timestamptz, long interval, float float8, big numeric, whole bigint, json jsonb, is_so boolean,
      doubled bigint generated always as (whole / 2) stored);
    insert into odd ("a ""name""", plain, many, nested, bytes, day, moment, long, float, big, whole, json, is_so) values
      (null, '', '{}', '{{1,2},{3,null}}', '\\x00ff5c4e0a0d09', '4713-01-01 BC', '4713-01-01 00:00:00+00 BC', '-178000000 years', 'NaN', 'NaN', -9223372036854775808, 'null', null),
      ('\\N', E'\\t\\\\\\n\\r\\b\\f\\v', array['', null, 'NULL', '"', '\\', '{}', 'a,b'], null, '', 'infinity', '-infinity', '1 mon 3 days 04:05:06.000001', '-Infinity', 1e-16383, 9223372036854775807, '{"a\\\\u0000b": [1e400, "\\\\n"]}', true),
      ('שלום ‏🌙 e\u0301', repeat('long ', 100000), '{"\\\\\\""}', '{}', sha256('x'), '5874897-12-31', '294276-12-31 23:59:59.999999+00', 'P1Y', 5e-324, 12345678901234567890.123456789, 0, '[]', false)`)
  await sql.begin(async (tx) => {
    await fixFormats(tx)
    const odd = await tableOf(tx, 'odd')
    expect(odd.columns).not.toContain('doubled')
    const rows = await tx`select * from odd order by id`
    const { chunks, counted } = copyOut(tx, odd)
    const text = Buffer.concat(await Array.fromAsync(chunks))
    const before = counted()
    expect(before.rows).toBe(3)
    expect(await listSequences(tx)).toContainEqual({ name: 'odd_id_seq', value: '3' })

    await tx`truncate odd`
    await copyIn(tx, odd, Readable.from([text.subarray(0, 1_000), text.subarray(1_000)]))
    expect(await countTable(tx, odd)).toEqual(before)
    expect([...(await tx`select * from odd order by id`)]).toEqual([...rows])
  })
  await sql`drop table odd`
})

test('abandoning a copy of a large table midway does not block the connection', async () => {
  await sql`create table large as select n, repeat('x', 1000) as text from generate_series(1, 20000) as n`
  const snapshot = await openSnapshot(sql)
  for await (const chunk of copyOut(snapshot.tx, await tableOf(snapshot.tx, 'large')).chunks) {
    expect(chunk.byteLength).toBeGreaterThan(60_000)
    break
  }
  await snapshot.close()
  expect(await sql`select count(*)::int as rows from large`).toMatchObject([{ rows: 20_000 }])
  await sql`drop table large`
})
