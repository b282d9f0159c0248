import { expect, test } from 'bun:test'
import { startOf } from './start-position'

test('playback starts at the saved position', () => {
  expect(startOf({ lastPositionSec: 724, totalSec: 764 }, 764)).toBe(724)
  expect(startOf({ lastPositionSec: 724, totalSec: 764 }, 765.2)).toBe(724)
})

test('playback starts at 0 without a saved position, or after the end was heard', () => {
  expect(startOf(null, 764)).toBe(0)
  expect(startOf({ lastPositionSec: 763, totalSec: 764 }, 764)).toBe(0)
})

test('a reading position is converted to the same fraction of the audio', () => {
  expect(startOf({ lastPositionSec: 120, totalSec: 240 }, 764)).toBe(382)
})

test('a saved position is used unconverted when a length is unknown', () => {
  expect(startOf({ lastPositionSec: 120, totalSec: null }, 764)).toBe(120)
  expect(startOf({ lastPositionSec: 120, totalSec: 240 }, 0)).toBe(120)
})
