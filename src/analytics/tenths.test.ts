import { expect, test } from 'bun:test'
import { steepestTenth, tenthsOf } from './tenths'

test('a text is split into ten parts at word boundaries without loss', () => {
  const text = Array.from({ length: 25 }, (_, at) => `w${at}`).join(' ')
  const parts = tenthsOf(text)
  expect(parts).toHaveLength(10)
  expect(parts.join(' ')).toBe(text)
  expect(parts.map((part) => part.split(' ').length).every((words) => words === 2 || words === 3)).toBe(true)
  expect(tenthsOf('').join('')).toBe('')
})

test('the steepest tenth is where most people stop, or null when nobody does', () => {
  const curve = (...counts: number[]) => counts.map((count) => ({ count }))
  expect(steepestTenth(curve(9, 8, 3, 3))).toBe(1)
  expect(steepestTenth(curve(4, 4, 4))).toBeNull()
})
