import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testDatabase } from '#db/testing'
import { createLog, errorFields } from '#src/process/log'

const db = await testDatabase()

test('a line is one JSON object, written only at its level and above', () => {
  const lines: string[] = []
  const log = createLog('warn', (line) => void lines.push(line))
  log.debug('unheard')
  log.info('unheard')
  log.warn('careful', { requestId: 'a-1', status: 429, name: 'line\nbreak' })
  log.error('broken')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      level: 'warn',
      message: 'careful',
      requestId: 'a-1',
      status: 429,
      name: 'line\nbreak',
    },
    { time: expect.any(String), level: 'error', message: 'broken' },
  ])
  for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1)
})

test('an error is logged with its location and causes, within a maximum length', () => {
  const error = new Error('outside', { cause: new RangeError('within', { cause: 'a text' }) })
  expect(errorFields(error).error).toMatch(
    /^Error\n +at .+log\.test\.ts:\d+:\d+\)?\n[\s\S]*caused by: RangeError within\n +at [\s\S]+caused by: a thrown string$/,
  )
  const circle = new Error('round')
  circle.cause = circle
  expect(String(errorFields(circle).error).split('caused by:').length).toBeLessThanOrEqual(5)
  expect(String(errorFields(circle).error).length).toBeLessThanOrEqual(8_000)
})

const canary = 'kestrel-71@example.com'

test('a failed query is logged with its code and statement but without its parameters', async () => {
  const failures = [
    sql`insert into users (email) values (${canary}), (${canary})`,
    sql`select ${canary}::uuid`,
    sql`select 'kestrel-71@example.com'::uuid, ${canary}::text`,
    sql`select pg_terminate_backend(pg_backend_pid()), ${canary}::text`,
  ]
  for (const query of failures) {
    const error = await db.execute(query).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    const { error: text } = errorFields(error)
    expect(text).toMatch(/statement: (insert|select) [\s\S]+caused by: .*code=\w+/)
    expect(text).not.toContain('kestrel-71')
  }
})

test.each([
  ['an error of JSON.parse', () => JSON.parse(`{"title": ${canary}}`)],
  ['an error of URL', () => new URL(canary)],
  [
    'a message of several lines',
    () => {
      throw new Error(`${canary}\n    at ${canary} (file.ts:1:1)`)
    },
  ],
  [
    'a thrown string',
    () => {
      throw canary
    },
  ],
  [
    'a call of a value that is no function',
    () => {
      const title: unknown = canary
      return Reflect.apply(Object(title), null, [])
    },
  ],
  [
    'an invalid error code',
    () => {
      throw Object.assign(new Error('no'), { code: canary, status: 422 })
    },
  ],
])('user input in an error is not logged: %s', (_, fail) => {
  let text = ''
  try {
    fail()
  } catch (error) {
    text = String(errorFields(error).error)
  }
  expect(text).not.toBe('')
  expect(text).not.toContain('kestrel-71')
})
