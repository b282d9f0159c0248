import { expect, test } from 'bun:test'
import { fromServerTime, inServerTime, readServerClock } from './server-clock'

const answer = (date: string) => new Response(null, { headers: { date } })
const ten = '2026-11-21T22:10:00.000Z'

test('a clock that is ten minutes slow is corrected from the Date header', () => {
  readServerClock(answer('Sat, 21 Nov 2026 22:20:00 GMT'), Date.parse(ten))
  expect(inServerTime(ten)).toBe('2026-11-21T22:20:00.000Z')
  expect(fromServerTime('2026-11-21T22:20:00.000Z')).toBe(Date.parse(ten))
})

test('a difference of two seconds is ignored as network delay', () => {
  readServerClock(answer('Sat, 21 Nov 2026 22:10:02 GMT'), Date.parse(ten))
  expect(inServerTime(ten)).toBe(ten)
})

test('a response without a Date header changes nothing', () => {
  readServerClock(new Response(), Date.parse(ten))
  expect(inServerTime(ten)).toBe(ten)
})
