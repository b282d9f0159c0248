import { afterAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Row } from 'postgres'
import { testDatabaseUrl } from '#db/testing'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { openDatabase } from './db'
import { openProxy, portOf, urlAt } from './testing-proxy'

/**
 * Tests the driver when a connection is lost, which `patches/postgres@3.4.9.patch` fixes
 * (docs/decisions/0011-postgres-driver.md).
 */
const url = await testDatabaseUrl()
const failures: unknown[] = []
const note = (error: unknown) => void failures.push(error)
process.on('unhandledRejection', note).on('uncaughtException', note)
afterAll(() => void process.off('unhandledRejection', note).off('uncaughtException', note))

const readyForQuery = Buffer.from('Z\0\0\0\x05', 'latin1')
const copyDone = Buffer.from('c\0\0\0\x04', 'latin1')

/** A proxy that cuts its first connection after a number of bytes, or of messages, from the server. */
function cuttingProxy(behind: { bytes: number } | { answers: number }, cut: (socket: Socket) => void) {
  let sent = Buffer.alloc(0)
  return openProxy(url, (client, data, connection) => {
    if (connection > 1) return void client.write(data)
    const before = sent.length
    sent = Buffer.concat([sent, data])
    const end = 'bytes' in behind ? behind.bytes : endOfAnswer(sent, behind.answers)
    client.write(sent.subarray(before, end))
    if (sent.length >= end) cut(client)
  })
}

function endOfAnswer(sent: Buffer, answers: number): number {
  let end = 0
  for (let answer = 0; answer < answers; answer += 1) {
    const at = sent.indexOf(readyForQuery, end)
    if (at < 0) return Number.POSITIVE_INFINITY
    end = at + readyForQuery.length + 1
  }
  return end
}

function clientOf(port: number, options: object = {}) {
  return connect(urlAt(url, port), { ...options, max: 1, backoff: () => 0 })
}

/** Resolves to the number in each row, or to the error's code. */
function numbersOrError(answer: PromiseLike<Iterable<Row>>): PromiseLike<number[] | string> {
  return answer.then(
    (rows) => Array.from(rows, ({ n }) => n),
    ({ code }) => code,
  )
}

const cuts = [
  ...Array.from({ length: 50 }, (_, at) => ({ bytes: 1 + at * 23 })),
  ...Array.from({ length: 8 }, (_, at) => ({ answers: 1 + at })),
]

test.each([
  ['ends', (socket: Socket) => void socket.end()],
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
])(
  'each query gets its own rows or the loss of its connection when the server %s it at any point',
  async (_, cut) => {
    for (const behind of cuts) {
      const proxy = await cuttingProxy(behind, cut)
      const sql = clientOf(proxy.port)
      const queries = [1, 2, 3].map((n) => sql`select ${n}::int as n, repeat('x', 2000) as text`)
      const transaction = sql.begin(async (tx) => {
        await tx`select 1`
        return (await Promise.all([tx`select 4 as n`, tx`select 5 as n, ${'x'.repeat(3_000)}`])).flat()
      })
      const outcomes = await Promise.all([...queries, transaction].map(numbersOrError))
      const own = [[1], [2], [3], [4, 5]]
      for (const [at, outcome] of outcomes.entries())
        expect([own[at], 'CONNECTION_CLOSED', 'ECONNRESET']).toContainEqual(outcome)
      // The next connection contains nothing left over from the first.
      const answers = await sql`select 7 as n`.catch(() => sql`select 7 as n`)
      expect([...answers]).toEqual([{ n: 7 }])
      await sql.end({ timeout: 1 })
      proxy.close()
    }
    expect(failures).toEqual([])
  },
)

test('a query not yet sent when its connection closes is rejected and not sent on the next connection', async () => {
  const sockets: Socket[] = []
  const proxy = await openProxy(url, (client, data) => void client.write(data))
  const sql = clientOf(proxy.port, {
    socket: async () => {
      const socket = createConnection(proxy.port, '127.0.0.1')
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    },
  })
  await sql`select 1`
  const asked = rejectionOf(sql`select 2`.execute())
  sockets[0]?.destroy()
  expect(await asked).toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect([...(await sql`select 7 as n`)]).toEqual([{ n: 7 }])
  await sql.end({ timeout: 1 })
  proxy.close()
})

const startingUp = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0', 'latin1')
const lengthOf = (body: Buffer) => Buffer.from([0, 0, 0, body.length + 4])

test.each([
  ['closes', (client: Socket) => void client.end()],
  [
    'is starting up',
    (client: Socket) => void client.end(Buffer.concat([Buffer.from('E'), lengthOf(startingUp), startingUp])),
  ],
  ['says nothing', () => {}],
])('with two hosts, one that %s is skipped and not retried while the other answers', async (_, greet) => {
  let greeted = 0
  const first = createServer((client) => {
    client
      .on('error', () => {})
      .once('data', () => {
        greeted += 1
        greet(client)
      })
  }).listen(0, '127.0.0.1')
  await once(first, 'listening')
  const second = await openProxy(url, (client, data) => void client.write(data))
  const sql = clientOf(second.port, {
    host: ['127.0.0.1', '127.0.0.1'],
    port: [portOf(first), second.port],
    connect_timeout: 1,
  })
  const [row] = await sql`select pg_backend_pid() as pid`
  expect(await rejectionOf(sql`select pg_terminate_backend(${row?.pid})`)).toMatchObject({ code: '57P01' })
  expect([...(await sql`select 7 as n`)]).toEqual([{ n: 7 }])
  expect(greeted).toBe(1)
  await sql.end({ timeout: 1 })
  second.close()
  first.close()
})

test('a reserved connection rejects every query after it is terminated', async () => {
  const sql = connect(url, { max: 2 })
  const reserved = await sql.reserve()
  const [row] = await reserved`select pg_backend_pid() as pid`
  await sql`select pg_terminate_backend(${row?.pid}, 5000)`
  expect(await rejectionOf(reserved`select 1`)).toBeDefined()
  expect(await rejectionOf(reserved`select 1`)).toBeDefined()
  expect([...(await sql`select 7 as n`)]).toEqual([{ n: 7 }])
  expect(failures).toEqual([])
  await sql.end({ timeout: 1 })
})

test('a COPY whose last row fills the buffer leaves the connection usable', async () => {
  const held: (() => void)[] = []
  const proxy = await openProxy(url, (client, data) => {
    const done = data.indexOf(copyDone)
    if (done < 0) return void client.write(data)
    // The bytes after CopyDone are sent as a packet of their own, once the reader has paused.
    client.write(data.subarray(0, done + copyDone.length))
    held.push(() => client.write(data.subarray(done + copyDone.length)))
  })
  const sql = clientOf(proxy.port)
  await sql.begin(async (tx) => {
    const rows = await tx`copy (select repeat('x', 200000)) to stdout`.readable()
    let bytes = 0
    for await (const chunk of rows) bytes += chunk.length
    expect(bytes).toBe(200_001)
    held.shift()?.()
    expect([...(await tx`select 7 as n`)]).toEqual([{ n: 7 }])
  })
  await sql.end({ timeout: 1 })
  proxy.close()
})

test('a COPY rejects when it violates a constraint at its end', async () => {
  const sql = connect(url, { max: 1 })
  await sql`create table once_each (n int primary key)`
  const copied = sql.begin(async (tx) =>
    pipeline(Readable.from(['1\n', '1\n']), await tx`copy once_each from stdin`.writable()),
  )
  expect(await rejectionOf(copied)).toMatchObject({ code: '23505' })
  expect([...(await sql`select 7 as n`)]).toEqual([{ n: 7 }])
  await sql.end()
})

test('a COPY rejects and copies nothing when its connection is terminated', async () => {
  const [db, other] = [openDatabase(url, { max: 1 }), connect(url)]
  await other`create table cut_off (text text)`
  async function* lines(pid: number) {
    yield 'one\n'
    await other`select pg_terminate_backend(${pid}, 5000)`
    for (let line = 0; line < 100; line += 1) yield `${'x'.repeat(10_000)}\n`
  }
  const copied = db.sql.begin(async (tx) => {
    const [row] = await tx`select pg_backend_pid() as pid`
    await pipeline(lines(Number(row?.pid)), await tx`copy cut_off from stdin`.writable())
  })
  await rejectionOf(copied)
  expect([...(await other`select count(*)::int as n from cut_off`)]).toEqual([{ n: 0 }])
  expect(failures).toEqual([])
  await Promise.all([db.close(), other.end()])
})

test('a pool with one query at a time closes its other connections when they are idle', async () => {
  const name = 'one at a time'
  const sql = connect(url, { max: 4, idle_timeout: 1, connection: { application_name: name } })
  const countOpen = async () => {
    const [row] = await sql<{ open: number }[]>`
      select count(*)::int as open from pg_stat_activity where application_name = ${name}`
    return row?.open
  }
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.05)`))
  await until(async () => (await countOpen()) === 1)
  await sql.end()
})

test('no query waits behind a slow one while another connection is free', async () => {
  const sql = connect(url, { max: 3, connection: { lock_timeout: 20_000 } })
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(7)`
  const ended: string[] = []
  const slow = sql`select pg_advisory_lock(7)`.then(
    () => ended.push('slow'),
    () => ended.push('given up'),
  )
  await Promise.all([1, 2, 3, 4].map((n) => sql`select ${n}::int`.then(() => ended.push('quick'))))
  await holder`select pg_advisory_unlock(7)`
  await slow
  expect(ended).toEqual(['quick', 'quick', 'quick', 'quick', 'slow'])
  holder.release()
  await sql.end()
})

test('a query with plain parameters takes one round trip, one with arrays or bytes takes two', async () => {
  let parts = 0
  const proxy = await openProxy(url, (client, data) => {
    if (!data.subarray(-6, -1).equals(readyForQuery)) parts += 1
    client.write(data)
  })
  const client = clientOf(proxy.port)
  await client`select 1`
  parts = 0
  const values = ['it’s', 7, true, null]
  const [plain] = await client.unsafe('select $1 as a, $2::int as b, $3 as c, $4::text as d', values)
  expect({ ...plain }).toEqual({ a: 'it’s', b: 7, c: true, d: null })
  expect(parts).toBe(0)
  const [row] = await client.unsafe('select $1::text[] as texts, $2::bytea as bytes', [
    ['a', 'b"c'],
    Buffer.from('x'),
  ])
  expect({ ...row }).toEqual({ texts: ['a', 'b"c'], bytes: Buffer.from('x') })
  expect(parts).toBe(1)
  expect(await rejectionOf(client.unsafe('select $1::int', ['seven']))).toHaveProperty('code', '22P02')
  expect(await rejectionOf(client.unsafe('select $1 from nowhere', [1]))).toHaveProperty('code', '42P01')
  expect([...(await client`select 1 as still`)]).toEqual([{ still: 1 }])
  await client.end()
  proxy.close()
})
