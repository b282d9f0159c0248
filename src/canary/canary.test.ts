import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { connect } from '#db/connect'
import { openDatabase } from '#db/db'
import { jobs } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { startRollups } from '#src/analytics/fresh'
import { makePartitions } from '#src/analytics/partitions'
import { backUp } from '#src/backup/back-up'
import { manifestName, tablesLeftOut } from '#src/backup/rules'
import { startReminding } from '#src/challenge/start'
import { startImporting } from '#src/import/start'
import { outboxOf } from '#src/mail/deliver'
import { startMailing } from '#src/mail/start'
import { readEml } from '#src/mail/testing'
import { resetEmailHandler, resetKind } from '#src/member/recovery/reset-email'
import { busyMember } from '#src/member/testing'
import { startNarrating } from '#src/narration/start'
import { createLog } from '#src/process/log'
import { startPushing } from '#src/push/start'
import { startScanning } from '#src/review/start'
import type { ApiDocument } from '#src/server/api-document'
import { exampleOf, type JsonSchema } from '#src/server/api-examples'
import { createApp } from '#src/server/app'
import { startTidying } from '#src/server/housekeeping'
import { routes } from '#src/server/routes'
import { type ApiCall, cookieOf, listCalls, percentEncoded } from '#src/server/testing-calls'
import { publish } from '#src/story/publish'
import { startPublishing } from '#src/story/publish-due'
import { browser, operatorBrowser, operatorToken, testApp } from '#src/testing/app'
import { startRanking } from '#src/trending/refresh'
import { canary, fillTables, findEmptyColumns, tables } from './fill-tables'

/**
 * User content must not reach the output for operators and machines. Puts a canary into every field of every table,
 * makes every query fail, and searches all output for it.
 */
const url = await testDatabaseUrl()
const { services: made } = await testApp()
const lines: string[] = []
const db = openDatabase(url, { max: 8, applicationName: 'canary' })
const services = { ...made, db, log: createLog('info', (line) => void lines.push(line)) }
const app = createApp(services)
/** A separate connection: it holds the locks and cancels queries. */
const onlooker: Sql = connect(url, { max: 3, connection: { lock_timeout: 5_000 } })
const leak = new RegExp(`${canary}|\\$argon2`, 'i')

const document: ApiDocument = await browser(app).json('/api/openapi.json')
await makePartitions(db)
const mara = await busyMember(app, services, canary)
const story = await publish(db, {
  title: `The ${canary}`,
  content: `She lit the ${canary} and waited. `.repeat(40),
  categories: ['romantic'],
})
const callers = { member: cookieOf(mara.who), operator: cookieOf(await operatorBrowser(app)) }
await fillTables(db)

const background = [
  startNarrating(services, { isFirstStart: false }),
  startImporting(services),
  startScanning(services),
  startMailing(services, { [resetKind]: resetEmailHandler(services) }),
  startPushing(services),
  startReminding(services),
  startRollups(db, services.log),
  startPublishing(db, services.log),
  startRanking(db, services.log),
  startTidying(services),
]
afterAll(async () => {
  if (unanswered.length > 0) process.stderr.write(`Had no answer: ${unanswered.join(', ')}\n`)
  await Promise.all(background.map((each) => each.stop()))
  await onlooker.end()
  await db.close()
})

type Sent = { name: string; method: string; path: string; body: string | null; contentType: string }

const upload = [
  '--b',
  `content-disposition: form-data; name="excel"; filename="${canary}.csv"`,
  '',
  `Name,Text\r\n${canary},She lit the ${canary} and waited.`,
  '--b--',
  '',
].join('\r\n')

/** These calls come last, since a deleted or signed-out caller can call nothing more. */
const isAnEnd = ({ name }: ApiCall) => /logout|DELETE \/api\/(user|auth)|sessions|events$/.test(name)
const sent: Sent[] = [
  ...listCalls(document)
    .filter((call) => !isAnEnd(call))
    .map(sentTo),
  ...Object.entries(routes)
    .filter(([name, { kind }]) => name.startsWith('GET ') && kind !== 'api')
    .map(([name]) => ({
      name,
      method: 'GET',
      path: name.slice(4).replace(/:\w+/g, story.id),
      body: null,
      contentType: '',
    })),
]

function sentTo({ name, method, path, parameters, body, takes }: ApiCall): Sent {
  const valueFor = (each: { name: string; schema: JsonSchema }) =>
    /^(id|contentId)$/.test(each.name) ? story.id : String(written(each.schema, each.name))
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce((text, each) => text.replace(`{${each.name}}`, percentEncoded(valueFor(each))), path)
  const query = parameters
    .filter((each) => each.in === 'query' && /^(q|search|query|text)$/.test(each.name))
    .map((each) => `${each.name}=${canary}`)
  const isStream = takes === 'stream'
  return {
    name,
    method,
    path: [filled, ...query].join('?'),
    body: isStream ? upload : takes === undefined ? null : JSON.stringify(body ? written(body) : {}),
    contentType: isStream ? 'multipart/form-data; boundary=b' : 'application/json',
  }
}

/** The example of a schema, with a canary in each text field that accepts one. */
function written(schema: JsonSchema, name = ''): unknown {
  return withCanaries(exampleOf(schema, name), schema, name)
}

function withCanaries(value: unknown, schema: JsonSchema | undefined, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withCanaries(each, schema?.items, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, withCanaries(each, schema?.properties?.[key], key)]),
    )
  if (typeof value !== 'string') return value
  if (name === 'token') return operatorToken
  if (/^(id|contentId|storyId)$/.test(name)) return story.id
  if (/email/i.test(name)) return `${canary}@example.com`
  const isFixed = schema?.enum || schema?.const || schema?.pattern || schema?.anyOf || schema?.format
  const isPlain =
    /password|title|name$|text|content$|description|excerpt|reason|notes?$|comment|prompt|output|message|words?$|tags|key$/i
  return isFixed || !isPlain.test(name) ? value : `${canary} ${value}`.slice(0, 200)
}

let senders = 0
const leaks: string[] = []
/** Calls without an answer in time. They are not the subject of this test, so they are not waited for. */
const unanswered: string[] = []
const statuses = new Map<number, number>()

async function send(call: Sent, caller: keyof typeof callers): Promise<void> {
  senders += 1
  const response = await app.fetch(
    new Request(`http://localhost:3000${call.path}`, {
      method: call.method,
      headers: {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        cookie: callers[caller],
        ...(call.body !== null && { 'content-type': call.contentType }),
        ...(call.path.startsWith('/api/') ? {} : { accept: 'text/html' }),
      },
      ...(call.body !== null && { body: call.body }),
    }),
    `10.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`,
  )
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response.body?.cancel()
  const text = await response.text().catch(() => 'broken off')
  if (response.status >= 500 && leak.test(text))
    leaks.push(`${call.name} ${response.status}: ${text.slice(0, 300)}`)
}

/**
 * Tables that are never locked: without them every call would fail at authentication, and the code after it would not
 * be tested.
 */
const unlocked = ['users', 'sessions', 'throttles']
const names = tables.map((table) => getTableName(table))
const writes = sent.filter(({ method }) => method !== 'GET')

async function sendAll(calls: readonly Sent[]): Promise<void> {
  const queue = calls.flatMap((call) => {
    const access = routes[`${call.method} ${call.path}`]?.access
    return [
      {
        call,
        caller:
          /\/api\/user|favorites|\/home|\/settings|vote/.test(call.path) && access !== 'operator'
            ? 'member'
            : 'operator',
      } as const,
    ]
  })
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const isAnswered = await Promise.race([
        send(next.call, next.caller).then(() => true),
        Bun.sleep(5_000).then(() => false),
      ])
      if (!isAnswered) unanswered.push(next.call.name)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
}

/** Locks tables while every call is made. */
async function whileLocked(locked: readonly string[]): Promise<void> {
  const { release } = await lock(locked)
  try {
    await sendAll(sent)
  } finally {
    await release()
  }
}

/** Cancels each query that waits for a table, repeatedly, while the calls are made. */
async function whileStruck(strike: string, calls: readonly Sent[]): Promise<void> {
  const { release } = await lock(others)
  let isOver = false
  const striking = (async () => {
    while (!isOver)
      await onlooker.unsafe(
        `select ${strike}(pid), pg_sleep(0.01) from pg_stat_activity where datname = current_database() and application_name = 'canary' and wait_event_type = 'Lock'`,
      )
  })()
  try {
    await sendAll(calls)
  } finally {
    isOver = true
    await striking
    await release()
  }
}

/**
 * Locks tables until it is released. If the program's background work has locked the same tables in another order, the
 * lock is tried again.
 */
async function lock(locked: readonly string[]): Promise<{ release(): Promise<void> }> {
  for (;;) {
    const held = Promise.withResolvers<boolean>()
    const over = Promise.withResolvers<void>()
    const holding = onlooker
      .begin(async (tx) => {
        await tx.unsafe(`lock table ${locked.join(', ')} in access exclusive mode`)
        held.resolve(true)
        await over.promise
      })
      .catch((error) => {
        if (!['40P01', '55P03'].includes(error.code)) throw error
        held.resolve(false)
      })
    holding.catch(held.reject)
    if (await held.promise)
      return {
        async release() {
          over.resolve()
          await holding
        },
      }
  }
}

const others = names.filter((name) => !unlocked.includes(name))
const groupsOf = (size: number) => [
  ...Array.from({ length: Math.ceil(others.length / size) }, (_, at) =>
    others.slice(at * size, (at + 1) * size),
  ),
  ['users'],
  ['sessions'],
  ['throttles'],
]

const failedCount = () => [...statuses].reduce((sum, [status, times]) => sum + (status >= 500 ? times : 0), 0)

async function expectSilence(failures: number): Promise<void> {
  expect(leaks).toEqual([])
  expect(failedCount()).toBeGreaterThan(failures)
  expect(lines.filter((line) => leak.test(line))).toEqual([])
  statuses.clear()
}

test('every column of every table holds a canary', async () => {
  expect(await findEmptyColumns(db)).toEqual([])
})

describe('user content', () => {
  beforeAll(() => statuses.clear())

  test('is not logged when nothing fails', async () => {
    await sendAll(sent)
    // Two calls fail on a row whose author cannot be a caller. Calls that meet at one row may be asked to try again.
    expect(statuses.get(500) ?? 0).toBeLessThanOrEqual(2)
    expect(failedCount()).toBeLessThan(10)
    expect(lines.filter((line) => leak.test(line))).toEqual([])
  })

  test('does not leak when tables are locked beyond the lock timeout', async () => {
    const name = new URL(url).pathname.slice(1)
    await onlooker.unsafe(`alter database ${name} set lock_timeout = '15ms'`)
    await onlooker`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'canary'`
    for (const group of groupsOf(12)) await whileLocked(group)
    await onlooker.unsafe(`alter database ${name} reset lock_timeout`)
    await onlooker`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'canary'`
    await expectSilence(500)
  })

  test.each([
    // The driver waits before it reconnects, so only a fifth of the calls is made.
    ['the database closes its connections', 'pg_terminate_backend', 5],
    ['a statement takes too long', 'pg_cancel_backend', 1],
  ] as const)('does not leak when %s', async (_, strike, every) => {
    const tried = sent.filter((_, at) => at % every === 0)
    await whileStruck(strike, tried)
    await expectSilence(20)
  })

  test('does not leak when tables reject every row', async () => {
    for (const group of groupsOf(5)) {
      for (const name of group)
        await onlooker`alter table ${onlooker(name)} add constraint refused check (false) not valid`
      await sendAll(writes)
      for (const name of group) await onlooker`alter table ${onlooker(name)} drop constraint refused`
    }
    await expectSilence(40)
  })

  test('is absent from metrics, job results and the subject and sender of mails', async () => {
    const metrics = await browser(app).call('/metrics')
    expect(await metrics.text()).not.toMatch(leak)
    const rows = await db
      .select({ kind: jobs.kind, error: jobs.error, result: jobs.result })
      .from(jobs)
      .where(sql`kind not like ${`${canary}%`}`)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter((row) => leak.test(JSON.stringify(row)))).toEqual([])
    const folder = outboxOf(services.env)
    const mails = readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readEml(readFileSync(join(folder, name), 'utf8')))
    for (const { subject, from } of mails) expect(`${subject} ${from}`).not.toMatch(leak)
  })

  test('is absent from the manifest, file names and log of a backup', async () => {
    const path = join(services.env.dataDir, 'library.zip')
    const { manifest } = await backUp({ ...services, by: 'Ada' }, path)
    expect(JSON.stringify(manifest)).not.toMatch(leak)
    const listing = Bun.spawnSync(['unzip', '-Z1', path]).stdout.toString()
    expect(listing).toContain(manifestName)
    expect(listing).not.toMatch(leak)
    for (const table of tablesLeftOut) expect(listing).not.toContain(`tables/${table}.`)
    expect(lines.filter((line) => leak.test(line))).toEqual([])
  })
})
