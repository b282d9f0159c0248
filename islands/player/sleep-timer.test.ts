import { describe, expect, test } from 'bun:test'
import { extended, fadeOf, leftWords, readTimer, secondsLeft, timerOf, writeTimer } from './sleep-timer'

const now = Date.parse('2026-11-21T22:42:00Z')

describe('sleep timer', () => {
  test('counts down by the clock, or to the end of the item', () => {
    expect(secondsLeft(timerOf(30, now), now + 60_000, 5)).toBe(29 * 60)
    expect(secondsLeft(timerOf(5, now), now + 600_000, 5)).toBe(0)
    expect(secondsLeft({ type: 'item' }, now, 42)).toBe(42)
  })

  test('is extended by five minutes', () => {
    expect(secondsLeft(extended(timerOf(5, now), 5), now, 0)).toBe(600)
    expect(extended({ type: 'item' }, 5)).toEqual({ type: 'item' })
  })

  test('fades the volume over the last twenty seconds', () => {
    expect([60, 20, 10, 5, 0].map(fadeOf)).toEqual([1, 1, 0.5, 0.25, 0])
  })

  test('shows the remaining minutes, and the seconds in the last minute', () => {
    expect([1_450, 61, 60, 59.2, 0.4].map(leftWords)).toEqual(['25 min', '2 min', '1 min', '60 s', '1 s'])
  })

  test('is read as it was stored, and invalid text is ignored', () => {
    for (const timer of [timerOf(15, now), { type: 'item' as const }])
      expect(readTimer(writeTimer(timer))).toEqual(timer)
    for (const text of [null, '', 'soon', '5', '-5 3']) expect(readTimer(text)).toBeNull()
  })
})
