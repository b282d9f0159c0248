import { expect, test } from 'bun:test'
import { rewindSeconds } from './rules'

test('playback rewinds further after a longer pause', () => {
  const minute = 60_000
  expect(
    [0, 4 * minute, 5 * minute, 59 * minute, 60 * minute, 1_439 * minute, 1_440 * minute].map(rewindSeconds),
  ).toEqual([0, 0, 5, 5, 15, 15, 30])
})
