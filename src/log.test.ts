import { expect, test } from 'bun:test'
import { createLog, errorFields } from '#src/log'

test('a line is one JSON object with its moment, level and fields, at its level and above', () => {
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

test('an error is written with its stack and its causes, and no longer than it helps', () => {
  const error = new Error('outside', { cause: new Error('within', { cause: 'a text' }) })
  const { error: text } = errorFields(error)
  expect(text).toMatch(/^Error: outside\n[\s\S]+caused by: Error: within\n[\s\S]+caused by: a text$/)
  expect(errorFields('just words')).toEqual({ error: 'just words' })
  expect(errorFields(new Error('x'.repeat(50_000))).error).toHaveLength(8_000)
  const circle = new Error('round')
  circle.cause = circle
  expect(String(errorFields(circle).error).split('caused by:').length).toBeLessThanOrEqual(5)
})
