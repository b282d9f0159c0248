import { expect, test } from 'bun:test'
import { readInstant } from './read-instant'

test.each([
  ['2027-06-05T20:00Z', '2027-06-05T20:00:00.000Z'],
  ['2027-06-05T20:00:00+02:00', '2027-06-05T18:00:00.000Z'],
  ['2028-02-29T23:30:00.25-01:00', '2028-03-01T00:30:00.250Z'],
])('the instant %s is parsed', (text, expected) => {
  expect(readInstant(text, 'at').toISOString()).toBe(expected)
})

test.each([
  '05/06/2027',
  '5.6.2027',
  'June 5',
  'Item 12 2027',
  '1',
  '',
  '2027-06-05',
  '2027-06-05T20:00',
  '2027-02-29T10:00:00Z',
  '2027-02-31T10:00:00Z',
  '2027-13-01T10:00:00Z',
  '2027-06-05T25:00:00Z',
])('"%s" is rejected as an instant', (text) => {
  expect(() => readInstant(text, 'at')).toThrow(
    'At must be a time with its zone, such as 2026-11-21T20:15:00Z.',
  )
})
