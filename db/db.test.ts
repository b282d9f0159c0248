import { describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'drizzle-orm'
import { type Executor, openDatabase } from './db'
import { isUnavailable, isUniqueViolation, shortageOf } from './failures'
import { betaSignups } from './schema'
import { testDatabase, testDatabaseUrl } from './testing'

const ada = { email: 'ada@example.com' }

test('testDatabase returns an empty, migrated database', async () => {
  const db = await testDatabase()
  expect(await db.select().from(betaSignups)).toEqual([])
})

test('isUniqueViolation recognises duplicates and their constraint, in and outside a transaction', async () => {
  const db = await testDatabase()
  const signUp = (executor: Executor) => executor.insert(betaSignups).values(ada)
  await signUp(db)

  for (const again of [() => signUp(db), () => db.transaction(signUp)]) {
    const error = await failureOf(again())
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'beta_signups_email_unique')).toBe(true)
    expect(isUniqueViolation(error, 'stories_slug_unique')).toBe(false)
    expect(isUnavailable(error)).toBe(false)
  }
})

test('a statement is cancelled after its timeout, and does not count as an outage', async () => {
  const db = await testDatabase()
  await db.sql`select 1`
  const limit = await db.sql`show statement_timeout`
  expect(limit[0]).toMatchObject({ statement_timeout: '30s' })
  const error = await failureOf(
    db.transaction(async (tx) => {
      await tx.execute('set local statement_timeout = 50')
      await tx.execute('select pg_sleep(5)')
    }),
  )
  expect(isUnavailable(error)).toBe(false)
})

describe('isUnavailable is true when', () => {
  for (const [why, url] of [
    ['nothing listens', 'postgres://nocturne@127.0.0.1:1/nocturne'],
    ['there is no socket', 'postgres://nocturne@localhost/nocturne?host=/nowhere'],
    ['there is no such host', 'postgres://nocturne@database.invalid/nocturne'],
  ] as const) {
    test(why, async () => {
      const db = openDatabase(url)
      expect(isUnavailable(await failureOf(db.select().from(betaSignups)))).toBe(true)
      await db.close()
    })
  }
})

test('a server that closes the connection at once counts as unavailable', async () => {
  const proxy = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const db = openDatabase(`postgres://nocturne@127.0.0.1:${port}/nocturne`)
  expect(isUnavailable(await failureOf(db.select().from(betaSignups)))).toBe(true)
  await db.close()
  proxy.close()
})

test('a connection terminated by the server counts as unavailable, and the pool reconnects', async () => {
  const db = openDatabase(await testDatabaseUrl(), { max: 1 })
  expect(isUnavailable(await failureOf(db.execute('select pg_terminate_backend(pg_backend_pid())')))).toBe(
    true,
  )
  // postgres.js 3.4.9 rejects the first query on the new connection with the error that ended the old one.
  await db
    .select()
    .from(betaSignups)
    .catch((error) => expect(isUnavailable(error)).toBe(true))
  expect(await db.select().from(betaSignups)).toEqual([])
  await db.close()
})

describe('a transaction whose connection is terminated between two statements', () => {
  for (const isBack of [false, true]) {
    test(`rolls back and cannot write ${isBack ? 'on the pool’s next connection' : 'any more'}`, async () => {
      const url = await testDatabaseUrl()
      const [db, other] = [openDatabase(url, { max: 1 }), openDatabase(url)]
      const backend = Promise.withResolvers<number>()
      const somethingElse = Promise.withResolvers<void>()
      const late = Promise.withResolvers<unknown>()
      const cut = failureOf(
        db.transaction(async (tx) => {
          await tx.insert(betaSignups).values(ada)
          const [row] = await tx.execute('select pg_backend_pid() as pid')
          backend.resolve(Number(row?.pid))
          await somethingElse.promise
          late.resolve(await failureOf(tx.insert(betaSignups).values({ email: 'bea@example.com' })))
        }),
      )
      await other.sql`select pg_terminate_backend(${await backend.promise}, 5000)`
      expect(isUnavailable(await cut)).toBe(true)
      if (isBack) expect(await db.select().from(betaSignups)).toEqual([])
      somethingElse.resolve()
      expect(isUnavailable(await late.promise)).toBe(true)
      expect(await other.select().from(betaSignups)).toEqual([])
      await Promise.all([db.close(), other.close()])
    })
  }
})

test('one of two deadlocked transactions fails with “contention”, which may be retried', async () => {
  const db = await testDatabase()
  await db.insert(betaSignups).values([ada, { email: 'bea@example.com' }])
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lockBoth = (order: string[], own: number) =>
    db.transaction(async (tx) => {
      const lock = (email = '') => tx.execute(sql`select from beta_signups where email = ${email} for update`)
      await lock(order[0])
      locked[own]?.resolve()
      await locked[1 - own]?.promise
      await lock(order[1])
    })
  const emails = [ada.email, 'bea@example.com']
  const ends = await Promise.allSettled([lockBoth(emails, 0), lockBoth(emails.toReversed(), 1)])
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(errors.map(shortageOf)).toEqual(['contention'])
})

test('an ENOENT from opening a file does not count as unavailable', () => {
  expect(isUnavailable(Object.assign(new Error('gone'), { code: 'ENOENT', syscall: 'open' }))).toBe(false)
})

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('It worked, and should not have.')
}
