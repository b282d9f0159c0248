import { expect, test } from 'bun:test'
import { closesSheet } from './swipe-down'

test('a long swipe down closes the sheet at any speed, a short one only if it is fast', () => {
  expect(closesSheet(120, 5_000)).toBe(true)
  expect(closesSheet(119, 5_000)).toBe(false)
  expect(closesSheet(40, 60)).toBe(true)
  expect(closesSheet(40, 200)).toBe(false)
  expect(closesSheet(10, 1)).toBe(false)
})
