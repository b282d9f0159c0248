import { expect, test } from 'bun:test'
import { startOf } from './start-position'

test('listening begins where it was left', () => {
  expect(startOf({ lastPositionSec: 724, totalSec: 764 }, 764)).toBe(724)
  expect(startOf({ lastPositionSec: 724, totalSec: 764 }, 765.2)).toBe(724)
})

test('at the start where no position is saved, or the end was heard', () => {
  expect(startOf(null, 764)).toBe(0)
  expect(startOf({ lastPositionSec: 763, totalSec: 764 }, 764)).toBe(0)
})

test('a position of reading counts as the same part of the whole', () => {
  expect(startOf({ lastPositionSec: 120, totalSec: 240 }, 764)).toBe(382)
})

test('as it is saved where a length is not known', () => {
  expect(startOf({ lastPositionSec: 120, totalSec: null }, 764)).toBe(120)
  expect(startOf({ lastPositionSec: 120, totalSec: 240 }, 0)).toBe(120)
})
