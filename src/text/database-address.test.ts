import { expect, test } from 'bun:test'
import { readDatabaseAddress } from './database-address'

test.each([
  ['postgres://db/nocturne', ['db:-']],
  ['postgresql://ada:p%40ss@db:5433/nocturne?sslmode=require', ['db:5433']],
  ['postgres://ada:p@ss@a,b:5433/nocturne?target_session_attrs=any', ['a:-', 'b:5433']],
  ['postgres://ada@[::1]:5433,10.0.0.2/nocturne', ['::1:5433', '10.0.0.2:-']],
])('%s is parsed into hosts and ports', (address, hosts) => {
  expect(readDatabaseAddress(address)?.hosts.map(({ name, port }) => `${name}:${port ?? '-'}`)).toEqual(hosts)
})

test('the single address keeps the first host only', () => {
  expect(readDatabaseAddress('postgres://ada:word@a:1,b:2/nocturne?x=y')?.single).toBe(
    'postgres://ada:word@a:1/nocturne?x=y',
  )
})

test.each(['', 'nocturne', 'mysql://db/nocturne', 'postgres://a:1,b:port/nocturne', 'postgres://a:99999/x'])(
  '%p is not a PostgreSQL address',
  (text) => expect(readDatabaseAddress(text)).toBeNull(),
)
