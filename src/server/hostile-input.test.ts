import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Ajv from 'ajv/dist/2020'
import type { ApiDocument } from '#src/server/api-document'
import { exampleOf, type JsonSchema } from '#src/server/api-examples'
import type { Parameter } from '#src/server/api-parameters'
import { cookieOf, listCalls, percentEncoded } from '#src/server/testing-calls'
import { writeCursor } from '#src/shape/list-page'
import {
  browser,
  memberBrowser,
  operatorBrowser,
  operatorToken,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { fc } from '#src/testing/properties'

/**
 * Sends invalid requests generated from the API document. None causes a server error or reveals internals, and every
 * answer is one that the document promises.
 */
const { app, services } = await testApp()
const story = await publishTestItem(services)
const document: ApiDocument = await browser(app).json('/api/openapi.json')

const callers = {
  visitor: '',
  member: cookieOf(await memberBrowser(app, 'ana@example.com')),
  operator: cookieOf(await operatorBrowser(app)),
}

const calls = listCalls(document)

/** Requests for every call and caller: well over 10,000 altogether. */
const requestsEach = 20

const oddTexts = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '\u202e',
    '\ufeff',
    '\ufffe',
    '👩‍👩‍👧',
    'e\u0301'.repeat(50),
  ],
  ...[
    '../../../etc/passwd',
    '..\\..',
    '%',
    '%zz',
    '%c3%28',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '#{7*7}',
  ],
  ...[
    "' or '1'='1",
    "'); --",
    '"; --',
    '\\',
    '$1',
    ':*',
    'a & b | !c',
    '__proto__',
    'constructor',
    'null',
    '[object Object]',
  ],
  ...[
    '-1',
    '0',
    '1.5',
    '1e400',
    'NaN',
    'Infinity',
    '99999999999999999999',
    '0x10',
    '１２',
    ',',
    ',,,,',
    'romantic,nothing',
  ],
  ...[
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '0000-00-00',
    '9999-12-31T23:59:60Z',
    '4713-01-01 BC',
    'now',
  ],
  ...['2026-11-21T20:15:00.123456789Z', '20261121', 'Sat Nov 21 2026'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    story.id,
    story.id.toUpperCase(),
    `${story.id}0`,
    `{${story.id}}`,
  ],
  ...['pre_uploaded:story:', `pre_uploaded:story:${story.id}`, `pre_uploaded:flow:${story.id}`, `a:b:c:d`],
  ...['a@b', '@', 'a@', '@b', 'a@b@c', 'a b@c.d', `${'a'.repeat(250)}@b.c`, 'ana@example.com'],
  ...['female', 'male', 'rachel', 'story', 'flow', 'published', 'scheduled', 'user_generated', 'seek'],
  ...['x'.repeat(300), 'word '.repeat(2_000), 'é'.repeat(40_000)],
  ...[
    ['T:Z', story.id],
    ['999999999999999999999', story.id],
    ['2026-99-99T99:99:99Z', story.id],
    ['12', story.id],
    ['2026-11-21T00:00:00.000Z', 'f'.repeat(36)],
    ['2026-11-21T00:00:00.000Z', '-'.repeat(36)],
    ['-----', story.id],
  ].map(([value = '', id = '']) => writeCursor({ value, id })),
]
const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary-ascii', maxLength: 300 }),
)

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
const oddValues = [
  ...[null, true, false, 0, -0, -1, 0.5, 61, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}, [null], [[]]],
  // Elysia's error handling throws on this value, except in production mode.
  ...(process.env.NODE_ENV === 'production' ? [{ toString: 1 }] : []),
  ...[{ length: -1 }, { constructor: { prototype: {} } }, deep(100), Array(300).fill('a')],
]
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(...oddValues),
  fc.array(oddText, { maxLength: 5 }),
  fc.dictionary(oddText, oddText, { maxKeys: 4 }),
)

/** Column names of a row to import, which the document does not list. */
const rowNames = [
  'title',
  'content',
  'type',
  'voice',
  'duration',
  'categories',
  'tags',
  'description',
  'generateAudio',
  'Name',
  'Text',
  'story',
  'publishedAt',
  'linkedAudioMale',
]

/** A value close to a schema: each part is right, odd or omitted. */
function almost(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([key, each]): [string, fc.Arbitrary<unknown>] => [
      key,
      almost(each, key),
    ])
    const extra = fc.dictionary(oddText, oddValue, { maxKeys: 2 })
    return fc.oneof(
      { weight: 9, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.record(Object.fromEntries(fields)), extra).map(([a, b]) => ({ ...b, ...a })),
      },
      { weight: 1, arbitrary: oddValue },
    )
  }
  const isRow = schema.type === 'object'
  if (schema.type === 'array')
    return fc.oneof(fc.array(almost(schema.items ?? {}, name.replace(/s$/, '')), { maxLength: 3 }), oddValue)
  if (isRow)
    return fc.record(
      Object.fromEntries(rowNames.map((each) => [each, fc.oneof(fc.constant('romantic'), oddValue)])),
      { requiredKeys: [] },
    )
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(exampleOf(schema, name)) },
    { weight: 1, arbitrary: oddValue },
  )
}

const rawBodies = [
  '',
  '{',
  '[',
  '"',
  'undefined',
  'null',
  'true',
  '{"a":1}}',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '['.repeat(20_000),
  '{"a":'.repeat(5_000),
  '\0',
  'a=b&c=d',
  '{"title":"\\ud800"}',
]
const multipart = '--b\r\ncontent-disposition: form-data; name='
const rawUploads = [
  '',
  '--b',
  '--b--',
  `${multipart}"excel"\r\n\r\n\r\n--b--\r\n`,
  `${multipart}"audioFile"; filename="../../a.mp3"\r\n\r\nID3\r\n--b--\r\n`,
  `${multipart}"excel"; filename="a.csv"\r\n\r\nName,Text\n\u0000,\u0000\r\n--b--\r\n`,
  `${multipart}"excel"; filename="a.json"\r\n\r\n[{"title":1}]\r\n--b--\r\n`,
  `${multipart}"excel"; filename="a.xlsx"\r\n\r\nPK\u0003\u0004\r\n--b--\r\n`,
  `${multipart}"mp3s"\r\n`,
  '\r\n'.repeat(500),
]

type Sent = { path: string; body: string | null; contentType: string | null; headers: Record<string, string> }

function requestsTo({ path, parameters, body, takes }: (typeof calls)[number]): fc.Arbitrary<Sent> {
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const value = ({ schema, name }: Parameter) =>
    fc.oneof(fc.constant(String(exampleOf(schema, name))), fc.constant(story.id), oddText)
  const query = fc.tuple(
    ...inQuery.map((each) => fc.option(fc.tuple(fc.constant(each.name), value(each)), { freq: 1 })),
    fc.option(fc.tuple(oddText, oddText), { freq: 3 }),
  )
  const json = fc.oneof(
    { weight: 6, arbitrary: almost(body ?? {}).map((each) => JSON.stringify(each) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom(...rawBodies) },
  )
  return fc.record({
    path: fc.tuple(fc.tuple(...inPath.map(value)), query).map(([values, pairs]) => {
      const filled = inPath.reduce(
        (text, { name }, at) => text.replace(`{${name}}`, percentEncoded(values[at] ?? '')),
        path,
      )
      const query = pairs.flatMap((pair) => (pair ? [pair.map(percentEncoded).join('=')] : []))
      return query.length > 0 ? `${filled}?${query.join('&')}` : filled
    }),
    body:
      takes === undefined ? fc.constant(null) : takes === 'stream' ? fc.constantFrom(...rawUploads) : json,
    contentType: fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constant(takes === 'stream' ? 'multipart/form-data; boundary=b' : 'application/json'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          null,
          'text/plain',
          'application/json; charset=utf-16',
          'multipart/form-data',
          'application/x-www-form-urlencoded',
          'application/xml',
          ';',
          'application/json;'.repeat(50),
        ),
      },
    ),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { cookie: 'nocturne_visitor=a.b; nocturne_age=; =; ;;' },
      { range: 'bytes=-,9-0' },
      { accept: 'text/html' },
      { 'accept-encoding': 'br;q=nan' },
      { 'if-none-match': '"' },
    ),
  })
}

const schemas = new Ajv({ strict: false, validateFormats: false })
schemas.addSchema(document, 'document')
let sent = 0

async function send(
  call: (typeof calls)[number],
  caller: keyof typeof callers,
  { path, body, contentType, headers }: Sent,
): Promise<Response> {
  sent += 1
  return app.fetch(
    new Request(`http://localhost:3000${path}`, {
      method: call.method,
      headers: {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        ...(body !== null && contentType !== null && { 'content-type': contentType }),
        ...headers,
        cookie: [callers[caller], headers.cookie].filter(Boolean).join('; '),
      },
      ...(body !== null && { body: new Blob([body]).stream() }),
    }),
    // Every request comes from a different address: rate limits would hide the calls behind them.
    `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
  )
}

/** Text that no answer may contain: stack traces, paths, SQL, secrets. */
const insides =
  /\bat \S+ \(|:\d+:\d+\)|node_modules|\.tsx?\b|\bselect \S+ from\b|\binsert into\b|postgres|drizzle|syntax error|violates|invalid input|TypeError|RangeError|(?<!s)s{43}(?!s)|(?<!e)e{43}(?!e)|a token for tests/i

async function expectPromised(
  call: (typeof calls)[number],
  caller: keyof typeof callers,
  request: Sent,
): Promise<void> {
  const response = await send(call, caller, request)
  const text = await decodedText(response)
  const answer = `${caller} ${request.path} ${request.body?.slice(0, 500)}: ${response.status} ${text.slice(0, 500)}`
  expect(response.status < 500 || answer).toBe(true)
  expect(Object.keys(call.answers).includes(String(response.status)) || answer).toBe(true)
  const isTagPromised = call.answers[response.status]?.headers?.ETag !== undefined
  expect(!isTagPromised || response.headers.has('etag') || answer).toBe(true)
  if (call.path === '/api/openapi.json') return
  expect(text.replaceAll(story.id, '')).not.toMatch(insides)
  expect(text).not.toContain(services.env.dataDir)
  const schema = call.answers[response.status]?.content?.['application/json']?.schema
  if (schema) expect(fits(call.name, response.status, schema, JSON.parse(text)) || answer).toBe(true)
}

async function decodedText(response: Response): Promise<string> {
  const body = await response.bytes()
  const decode = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  const encoding = response.headers.get('content-encoding')
  return encoding === 'gzip' || encoding === 'br' || encoding === 'zstd'
    ? decode[encoding](body).toString()
    : new TextDecoder().decode(body)
}

test.each(calls)(
  '$name returns only documented responses for one odd value in a valid request',
  async (call) => {
    const caller = call.name.includes('favorites') ? 'member' : 'operator'
    for (const place of placesOf(call)) {
      const odd = place.in === 'body' ? [...oddTexts, ...oddValues] : oddTexts
      // These two calls hash a password each time, so only every fourth value is tried.
      const tried = odd.filter((_, at) => !/auth\/(login|register)$/.test(call.path) || at % 4 === 0)
      const requests = tried.map((value) => requestWith(call, place, value))
      for (let from = 0; from < requests.length; from += 16) {
        await Promise.all(
          requests.slice(from, from + 16).map((request) => expectPromised(call, caller, request)),
        )
      }
    }
  },
)

test.each(calls)('$name returns only documented responses for random requests', async (call) => {
  for (const caller of ['visitor', 'member', 'operator'] as const) {
    const property = fc.asyncProperty(requestsTo(call), (request) => expectPromised(call, caller, request))
    await fc.assert(property, { numRuns: requestsEach })
  }
})

type Place = { in: string; name: string }

/** The inputs of a call: its parameters, the fields of its body, and the fields of rows in the body. */
function placesOf({ parameters, body }: (typeof calls)[number]): Place[] {
  const fields = Object.entries(body?.properties ?? {}).flatMap(([name, { items }]) => [
    name,
    ...rowFields(items).map((each) => `${name}.${each}`),
  ])
  return [...parameters, ...fields.map((name) => ({ in: 'body', name }))]
}

function rowFields(items: JsonSchema | undefined): string[] {
  if (items?.type !== 'object') return []
  return items.properties ? Object.keys(items.properties) : rowNames
}

function requestWith(call: (typeof calls)[number], place: Place, value: unknown): Sent {
  const { path, parameters, body, takes } = call
  const written = (each: Parameter) =>
    each.name === place.name && each.in === place.in ? String(value) : rightValue(each)
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce((text, each) => text.replace(`{${each.name}}`, percentEncoded(written(each))), path)
  const query = parameters
    .filter((each) => each.in === 'query' && each.name === place.name)
    .map((each) => `${each.name}=${percentEncoded(written(each))}`)
  return {
    path: [filled, ...query].join('?'),
    body: takes === undefined ? null : JSON.stringify(body ? withField(exampleOf(body), place, value) : {}),
    contentType: takes === 'stream' ? 'multipart/form-data; boundary=b' : 'application/json',
    headers: {},
  }
}

function rightValue({ name, schema }: Parameter): string {
  return name === 'id' || name === 'contentId'
    ? story.id
    : name === 'voice'
      ? 'female'
      : String(exampleOf(schema, name))
}

function withField(example: unknown, { in: where, name }: Place, value: unknown): unknown {
  const [field = '', inRow] = name.split('.')
  const whole = Object(example)
  if (where !== 'body') return whole
  const right = 'token' in whole ? { ...whole, token: operatorToken } : whole
  return { ...right, [field]: inRow === undefined ? value : [{ ...Object(whole[field][0]), [inRow]: value }] }
}

const validators = new Map<string, ReturnType<Ajv['compile']>>()
function fits(name: string, status: number, schema: JsonSchema, value: unknown): boolean {
  const key = `${name} ${status}`
  const validate =
    validators.get(key) ??
    schemas.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')))
  validators.set(key, validate)
  return validate(value) === true
}

test('random requests to all calls as every caller are more than 10,000', () => {
  expect(calls.length * Object.keys(callers).length * requestsEach).toBeGreaterThan(10_000)
})
