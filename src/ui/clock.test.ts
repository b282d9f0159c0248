import { expect, test } from 'bun:test'
import { clock } from '#src/ui/clock'

test('times are m:ss below an hour and h:mm:ss from there on', () => {
  expect([0, 5, 221.9, 764, 3727].map(clock)).toEqual(['0:00', '0:05', '3:41', '12:44', '1:02:07'])
})

test('unknown and negative lengths are 0:00', () => {
  expect([Number.NaN, Number.POSITIVE_INFINITY, -3].map(clock)).toEqual(['0:00', '0:00', '0:00'])
})
