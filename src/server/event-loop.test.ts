import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseUrl } from '#db/testing'
import { ensureBuilt } from '#scripts/build'
import { serverProgram } from '#scripts/bundle-server'
import type { FeedAddresses } from '#src/feed/schema'
import type { Route } from '#src/http/route'
import { whenDrawn } from '#src/picture/testing'
import type { ApiDocument } from '#src/server/api-document'
import { exampleOf } from '#src/server/api-examples'
import { routes } from '#src/server/routes'
import type { BlockedTime, Question } from '#src/server/testing-watchdog'
import { memberPassword, operatorToken } from '#src/testing/app'

/**
 * No request may block the others for more than 50 ms, whatever it contains. Every route in the table gets the largest
 * and oddest input within its limits, and a watchdog in the server measures how long the event loop was blocked.
 */
const heldMsMax = 50
/** Time of the watchdog's reference work on the core for which the 50 ms are meant. */
const referenceMs = 3

const root = join(import.meta.dir, '../..')
await ensureBuilt()
const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-loop-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

let onBlockedTime: (blocked: BlockedTime) => void = () => {}
const server = Bun.spawn([process.execPath, '--preload', './src/server/testing-watchdog.ts', serverProgram], {
  cwd: root,
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    PORT: '0',
    AGE_GATE: 'off',
    DEMO: 'off',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    DATABASE_URL: await testDatabaseUrl(),
    ADMIN_TOKEN: operatorToken,
  },
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'inherit',
  ipc: (blocked: BlockedTime) => onBlockedTime(blocked),
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.exited
})
const origin = await readOrigin(server.stdout)

async function readOrigin(output: ReadableStream<Uint8Array>): Promise<string> {
  let received = ''
  for await (const chunk of output) {
    received += new TextDecoder().decode(chunk)
    const url = /is open at (\S+)[\s\S]*api\/docs\n/.exec(received)?.[1]
    if (url) return url
  }
  throw new Error(`The server did not start: ${received}`)
}

/** Reads the longest time for which the loop was blocked since the last call. */
function readBlockedTime(): Promise<BlockedTime> {
  return new Promise((resolve) => {
    onBlockedTime = resolve
    server.send({ limitMs: heldMsMax } satisfies Question)
  })
}

/**
 * Calls and expects that the loop was not blocked for too long, relative to the present speed of the core. A slow call
 * is repeated twice: a core that other programs used is fast the next time, while a request that blocks the loop blocks
 * it every time.
 */
async function expectQuick<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
  const tooLong: number[] = []
  for (;;) {
    const { answer, ms, isQuick } = await watch(call)
    if (isQuick) return answer
    tooLong.push(ms)
    if (tooLong.length === 3) throw new Error(`${what}: held for ${tooLong.join(', ')} ms`)
  }
}

async function watch<Answer>(call: () => Promise<Answer>) {
  await readBlockedTime()
  const answer = await call()
  const { ms, referenceMs: now } = await readBlockedTime()
  return { answer, ms, isQuick: ms < heldMsMax * Math.max(1, now / referenceMs) }
}

const document: ApiDocument = await (await fetch(`${origin}/api/openapi.json`)).json()
const session = await signUp()

async function signUp(): Promise<string> {
  const response = await fetch(`${origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.com', password: memberPassword }),
  })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

type Sent = { what: string; path?: string; headers?: Record<string, string>; body?: string }

const anyId = '019c0000-0000-7000-8000-000000000000'

const prose = (characters: number) =>
  'She lit the l.a.m.p, waited; and the w4ter rose slowwwly — nobody spoke. '
    .repeat(characters / 72)
    .slice(0, characters)

const oddJsonOf = new Map<number, Sent[]>()

/**
 * JSON as deep, wide, long or odd as a route's byte limit allows. It is cached, since many routes have the same limit.
 */
function oddJson(bytes: number): Sent[] {
  const made = oddJsonOf.get(bytes) ?? makeOddJson(bytes)
  oddJsonOf.set(bytes, made)
  return made
}

function makeOddJson(bytes: number): Sent[] {
  const times = (unit: string) => Math.floor(bytes / unit.length) - 2
  return [
    { what: 'opening and closing brackets', body: `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}` },
    { what: 'objects in objects', body: `${'{"a":'.repeat(times('{"a":}'))}1${'}'.repeat(times('{"a":}'))}` },
    { what: 'a wide list', body: `[${'1,'.repeat(times('1,'))}1]` },
    { what: 'a list of objects', body: `[${'{},'.repeat(times('{},'))}1]` },
    { what: 'one name many times', body: `{${'"a":1,'.repeat(times('"a":1,'))}"a":1}` },
    {
      what: 'ten thousand fields',
      body: `{${Array.from({ length: Math.min(9_900, times('"k0000":1,')) }, (_, at) => `"k${at}":1`).join(',')}}`,
    },
    { what: 'a huge number', body: '9'.repeat(bytes) },
    { what: 'a huge text', body: `"${'x'.repeat(bytes - 2)}"` },
    { what: 'escapes', body: `{"content":"${'\\n'.repeat(bytes / 2 - 20)}"}` },
    { what: 'escaped letters', body: `{"title":"${'\\u00e9'.repeat(times('\\u00e9') - 20)}"}` },
    { what: 'no JSON', body: '"'.repeat(bytes) },
  ]
}

/** One function imports the lists of all routes, so only this route gets a list as long as it allows. */
const fullList = 'POST /api/premium-content/bulk'

/** Valid bodies in each of which one field has the route's maximum length. */
function longFields(name: string, bytes: number): Sent[] {
  const [method = '', path = ''] = name.split(' ')
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const schema = operation?.requestBody?.content['application/json']?.schema
  if (!schema) return []
  const example = Object(exampleOf(schema))
  return Object.keys(schema.properties ?? {}).flatMap((field) => {
    const value = example[field]
    const text = prose(Math.min(1_000_000, bytes - 4_000))
    const rows = Array.isArray(value) && Object(value[0]) === value[0]
    const long = rows
      ? Array.from({ length: name === fullList ? 5_000 : 500 }, (_, at) => ({
          ...value[0],
          title: `The Lamp ${at}`,
          story: prose(Math.floor(bytes / 8_000)),
        }))
      : text
    return [{ what: `a long ${field}`, body: JSON.stringify({ ...example, [field]: long }) }]
  })
}

function oddForms(bytes: number): Sent[] {
  return [
    { what: 'a form of many fields', body: 'a=1&'.repeat(bytes / 4) },
    { what: 'a form of 1,000 long fields', body: `${'x'.repeat(Math.floor(bytes / 1_001))}&`.repeat(999) },
    { what: 'a form of one long field', body: `text=${'%C3%A9'.repeat(Math.floor(bytes / 6) - 2)}` },
    { what: 'a form of broken marks', body: `title=${'%'.repeat(bytes - 10)}` },
    { what: 'a form of prose', body: `text=${prose(Math.min(1_000_000, bytes - 10)).replaceAll(' ', '+')}` },
  ]
}

const part = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
function oddUploads(): Sent[] {
  const file = 'content-disposition: form-data; name="excel"; filename="a.csv"\r\n\r\n'
  return [
    { what: 'an upload of many parts', body: `${part('excel', '1').repeat(10_000)}--b--` },
    { what: 'a part with many headers', body: `--b\r\n${'x-a: b\r\n'.repeat(100_000)}${file}a\r\n--b--` },
    { what: 'a part with a long header', body: `--b\r\nx-a: ${'b'.repeat(4_000_000)}\r\n${file}a\r\n--b--` },
    { what: 'a file of nearly boundaries', body: `--b\r\n${file}${'\r\n--'.repeat(2_000_000)}\r\n--b--` },
    { what: 'a wide sheet', body: `--b\r\n${file}${'a,'.repeat(2_000_000)}\r\n--b--` },
    { what: 'a sheet of quotes', body: `--b\r\n${file}Name,Text\n${'"'.repeat(4_000_000)}\r\n--b--` },
  ]
}

/** Odd headers and addresses for any request, up to the server's limit of 16 KB. */
function oddHeads(path: string): Sent[] {
  const room = 14_000 - path.length
  const query = (text: string) => `${path}?${text.slice(0, room)}`
  return [
    { what: 'a query of many names', path: query('a=1&'.repeat(4_000)) },
    { what: 'a query of one name many times', path: query('q=a&'.repeat(4_000)) },
    { what: 'a long search', path: query(`q=${'%C3%A9a+'.repeat(2_000)}`) },
    { what: 'a query of brackets', path: query(`q=${'%5B'.repeat(4_000)}`) },
    { what: 'a long cursor', path: query(`cursor=${'A'.repeat(13_000)}`) },
    { what: 'many cookies', headers: { cookie: 'a=b; '.repeat(2_800) } },
    { what: 'a long cookie', headers: { cookie: `nocturne_session=${'a'.repeat(13_900)}` } },
    { what: 'a long bearer', headers: { authorization: `Bearer ${'a'.repeat(13_900)}` } },
    { what: 'many languages', headers: { 'accept-language': 'de;q=0.1,'.repeat(1_500) } },
    { what: 'many ranges', headers: { range: `bytes=${'0-1,'.repeat(3_400)}0-1` } },
    { what: 'many encodings', headers: { 'accept-encoding': 'br;q=0.5, '.repeat(1_200) } },
  ]
}

function oddBodies(name: string, { body, bodyBytesMax = 0 }: Route): Sent[] {
  if (body === 'json') return [...oddJson(bodyBytesMax), ...longFields(name, bodyBytesMax)]
  if (body === 'form') return oddForms(bodyBytesMax)
  return body === 'stream' ? oddUploads() : []
}

const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  stream: 'multipart/form-data; boundary=b',
}

async function send(name: string, route: Route, { path, headers, body }: Sent): Promise<number> {
  const [method = '', plain = ''] = name.split(' ')
  const response = await fetch(origin + (path ?? plain.replace(/:\w+/g, anyId)), {
    method,
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(route.access === 'operator' && { authorization: `Bearer ${operatorToken}` }),
      ...(route.access === 'member' && { cookie: session }),
      ...(route.body && body !== undefined && { 'content-type': types[route.body] }),
      ...headers,
    },
    body,
    signal: AbortSignal.timeout(200_000),
  })
  // A stream of events never ends.
  await response.body?.cancel()
  return response.status
}

const withEffect = /logout|sign-out|DELETE \/api\/user|settings\/delete/
test.each(Object.entries(routes).filter(([name]) => !withEffect.test(name)))(
  '%s never blocks the event loop for more than 50 ms',
  async (name, route) => {
    const heads = oddHeads(name.split(' ')[1]?.replace(/:\w+/g, anyId) ?? '')
    // If all of them together do not block the loop for too long, none does.
    const together = await watch(() => Promise.all(heads.map((sent) => expectAnswer(name, route, sent))))
    const alone = together.isQuick ? [] : heads
    for (const sent of [...alone, ...oddBodies(name, route)])
      await expectQuick(sent.what, () => expectAnswer(name, route, sent))
  },
)

async function expectAnswer(name: string, route: Route, sent: Sent): Promise<void> {
  const status = await send(name, route, sent)
  expect(status < 500 || status === 503 || `${sent.what}: ${status}`).toBe(true)
}

test('drawing pictures does not block the event loop', async () => {
  const publish = async (_: unknown, at: number): Promise<string> => {
    const response = await fetch(`${origin}/api/premium-content`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: `The Night Ferry ${at}`,
        content: prose(2_000),
        categories: ['romantic'],
      }),
    })
    return (await response.json()).id
  }
  const ids = await Promise.all(Array.from({ length: 3 }, publish))
  const made = await fetch(`${origin}/api/user/feeds`, {
    method: 'POST',
    headers: { cookie: session, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })
  const { podcastUrl }: FeedAddresses = await made.json()
  const feed = new URL(podcastUrl).pathname.replace(/\.xml$/, '')
  // Each attempt draws the picture of another item: a second request for the same picture would be answered from a
  // file.
  for (const pathOf of [(id = '') => `/picture/${id}/x.png`, (id = '') => `${feed}/${id}/art-x.png`]) {
    let tries = 0
    const answer = await expectQuick('a picture', async () => {
      const path = pathOf(ids[tries++])
      const response = await whenDrawn(() => fetch(origin + path))
      return [response.status, (await response.bytes()).length > 50_000]
    })
    expect(answer).toEqual([200, true])
  }
})

test('estimating the narration of a one-paragraph story does not block the event loop', async () => {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  const content = 'She lit the lamp, and waited… “Come in,” he whispered. Nobody came. '.repeat(14_000)
  const { id } = await post('/api/premium-content', { title: 'Without an End', content })
  const { sentences } = await expectQuick('an estimate', () =>
    post(`/api/stories/${id}/narrate/estimate`, {}),
  )
  expect(sentences).toBe(42_000)
})

test('uploading, planning and dry-running a sheet of 20,000 rows does not block the event loop', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `The Harbour ${at},"${prose(300)}",romantic`)
  const sheet = new File([`Name,Text,Category\n${rows.join('\n')}\n`], 'harbours.csv', { type: 'text/csv' })
  const headers = { authorization: `Bearer ${operatorToken}` }
  const call = async (path: string, options: RequestInit = {}) => {
    const answer = await expectQuick(path, async () => {
      const response = await fetch(origin + path, { headers, method: 'POST', ...options })
      expect([path, response.status]).toEqual([path, response.status === 201 ? 201 : 200])
      return await response.text()
    })
    return JSON.parse(answer)
  }
  const upload = (field: string) => {
    const form = new FormData()
    form.set(field, sheet)
    return { body: form }
  }
  const json = { headers: { ...headers, 'content-type': 'application/json' }, body: '{"files":[]}' }
  const { id } = await call('/api/import-drafts', json)
  await call(`/api/import-drafts/${id}/sheet`, upload('excel'))
  const plan = await call(`/api/import-drafts/${id}/plan`, { method: 'GET' })
  expect([plan.rows.length, plan.counts.new]).toEqual([20_000, 20_000])
  const tried = await call('/api/premium-content/excel-import?dryRun=true', upload('excel'))
  expect([tried.imported, tried.rows.length]).toEqual([20_000, 20_000])
})
