import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { examineDatabase } from '#cli/doctor/examine-database'
import { createApp } from '#src/server/app'
import { browser, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { type Database, openDatabase } from './db'
import { isUnavailable } from './failures'
import { betaSignups } from './schema'
import { testDatabaseUrl } from './testing'
import { openTunnel, startPair } from './testing-standby'

const { services } = await testApp()
const { primary, standby } = await startPair()
const bothUrl = `postgres://nocturne@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/nocturne`

/** Listens on a channel, and counts notifications and how often LISTEN has started. */
async function openEar(db: Database, channel: string) {
  const ear = { heard: 0, listening: 0 }
  await db.listen(channel, {
    onNotification() {
      ear.heard += 1
    },
    onListening() {
      ear.listening += 1
    },
    onFailure() {},
  })
  return ear
}

test('a connection string with several servers connects to the writable one', async () => {
  const db = openDatabase(bothUrl, { max: 3 })
  const roles = await Promise.all(
    [1, 2, 3].map(() => db.execute(sql`select pg_is_in_recovery() as "isStandby"`)),
  )
  expect(roles.map(([row]) => row?.isStandby)).toEqual([false, false, false])
  await db.insert(betaSignups).values({ email: 'ada@example.com' })
  await db.close()
})

test('a standby answers writes and /readyz with 503', async () => {
  const db = openDatabase(standby.url)
  const app = createApp({ ...services, db })
  const ready = await browser(app).call('/readyz')
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
  const written = await browser(app).call('/api/beta-signup', { json: { email: 'bea@example.com' } })
  expect([written.status, (await written.json()).code]).toEqual([503, 'unavailable'])
  expect(written.headers.get('retry-after')).toBe('5')
  await db.close()
})

test('doctor reports that a standby only reads, and the setting to change', async () => {
  const env = { ...services.env, databaseUrl: standby.url }
  const { findings } = await examineDatabase(env, new AbortController().signal, async () => [])
  expect(findings[0]).toMatchObject({
    isRight: false,
    what: expect.stringContaining('it only reads'),
    mend: expect.stringContaining('Name the primary in DATABASE_URL.'),
  })
})

test('a query fails at once when no server of several is writable', async () => {
  const nobody = openDatabase('postgres://nocturne@127.0.0.1:1,127.0.0.1:2/nocturne')
  for (const _ of [1, 2]) {
    const error = await nobody.execute(sql`select 1`).catch((refusal) => refusal)
    expect(isUnavailable(error)).toBe(true)
  }
  await nobody.close()
  const standbys = openDatabase(
    `postgres://nocturne@127.0.0.1:${standby.port},127.0.0.1:${standby.port}/nocturne`,
  )
  const error = await rejectionOf(standbys.sql`select 1`)
  expect(isUnavailable(error)).toBe(true)
  expect(error).toMatchObject({ code: '25006' })
  await standbys.close()
})

test('LISTEN is re-established whenever its connection is terminated', async () => {
  const url = await testDatabaseUrl()
  const [db, other] = [openDatabase(url, { max: 1 }), connect(url, { max: 1 })]
  const ear = await openEar(db, 'evening')
  for (const round of [1, 2, 3]) {
    await other`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name = 'nocturne notifications'`
    await until(() => ear.listening === round + 1)
    await other`select pg_notify('evening', '')`
    await until(() => ear.heard === round)
  }
  await Promise.all([db.close(), other.end()])
})

test('connections to a host that no longer answers are given up and replaced', async () => {
  const url = await testDatabaseUrl()
  const tunnel = await openTunnel(url)
  const db = openDatabase(`postgres://nocturne@127.0.0.1:${tunnel.port}${new URL(url).pathname}`, {
    max: 2,
    // Longer than a stall: until it is frozen, the connection must not be given up.
    heartbeat: { everyMs: 20, answerMs: 5_000 },
  })
  const ear = await openEar(db, 'evening')
  await Promise.all([1, 2].map(() => db.execute(sql`select pg_sleep(0.05)`)))

  tunnel.freeze()
  const errors = await Promise.all([1, 2].map(() => db.execute(sql`select 1`).catch((error) => error)))

  expect(errors.map(isUnavailable)).toEqual([true, true])
  await until(() => ear.listening === 2)
  expect([...(await db.execute(sql`select 7 as n`))]).toEqual([{ n: 7 }])
  await db.close()
})

test('writes, notifications and /readyz work again after a failover, and no acknowledged write is lost', async () => {
  const db = openDatabase(bothUrl, { max: 4 })
  const app = createApp({ ...services, db })
  const ear = await openEar(db, 'evening')
  const ready = async () => (await browser(app).call('/readyz')).status
  expect(await ready()).toBe(200)
  await db.insert(betaSignups).values({ email: 'cleo@example.com' })
  await until(async () => (await emailsAt(standby.url)).includes('cleo@example.com'))

  await primary.crash()
  expect(await ready()).toBe(503)
  await standby.promote()

  await until(async () => (await ready()) === 200)
  await db.insert(betaSignups).values({ email: 'dora@example.com' })
  await until(() => ear.listening === 2)
  await db.execute(sql`select pg_notify('evening', '')`)
  await until(() => ear.heard === 1)
  expect(await emailsAt(bothUrl)).toEqual(['ada@example.com', 'cleo@example.com', 'dora@example.com'])
  await db.close()
})

async function emailsAt(url: string): Promise<string[]> {
  const db = openDatabase(url, { max: 1 })
  const rows = await db.select({ email: betaSignups.email }).from(betaSignups).orderBy(betaSignups.email)
  await db.close()
  return rows.map(({ email }) => email)
}
