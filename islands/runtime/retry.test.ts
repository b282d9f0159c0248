import { expect, test } from 'bun:test'
import { isWorthRetrying, pauseAfter } from './retry'

test('a busy or failing server is worth another request, a refusal is not', () => {
  expect([408, 429, 500, 503].every(isWorthRetrying)).toBe(true)
  expect([400, 403, 404, 413, 422].some(isWorthRetrying)).toBe(false)
})

test('pauses grow as listed, and the last one repeats', () => {
  expect([0, 1, 2, 3].map((earlier) => pauseAfter([5, 15, 30], earlier))).toEqual([5, 15, 30, 30])
})
