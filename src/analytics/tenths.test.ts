import { expect, test } from 'bun:test'
import { steepestTenth, tenthsOf } from './tenths'

test('a text is divided into ten parts of whole words, and nothing is lost', () => {
  const text = Array.from({ length: 25 }, (_, at) => `w${at}`).join(' ')
  const parts = tenthsOf(text)
  expect(parts).toHaveLength(10)
  expect(parts.join(' ')).toBe(text)
  expect(parts.map((part) => part.split(' ').length).every((words) => words === 2 || words === 3)).toBe(true)
  expect(tenthsOf('').join('')).toBe('')
})

test('the tenth in which most stop is found, and none where everybody stays', () => {
  const curve = (...counts: number[]) => counts.map((count) => ({ count }))
  expect(steepestTenth(curve(9, 8, 3, 3))).toBe(1)
  expect(steepestTenth(curve(4, 4, 4))).toBeNull()
})
