import { expect, test } from 'bun:test'
import { fromServerTime, inServerTime, readServerClock } from './server-clock'

const answer = (date: string) => new Response(null, { headers: { date } })
const ten = '2026-11-21T22:10:00.000Z'

test('a clock that is ten minutes slow is detected by the next answer, and its times are corrected', () => {
  readServerClock(answer('Sat, 21 Nov 2026 22:20:00 GMT'), Date.parse(ten))
  expect(inServerTime(ten)).toBe('2026-11-21T22:20:00.000Z')
  expect(fromServerTime('2026-11-21T22:20:00.000Z')).toBe(Date.parse(ten))
})

test('a second or two of difference is the way of the answer, not of the clock', () => {
  readServerClock(answer('Sat, 21 Nov 2026 22:10:02 GMT'), Date.parse(ten))
  expect(inServerTime(ten)).toBe(ten)
})

test('an answer without a date changes nothing', () => {
  readServerClock(new Response(), Date.parse(ten))
  expect(inServerTime(ten)).toBe(ten)
})
