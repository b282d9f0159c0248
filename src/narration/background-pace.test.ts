import { describe, expect, test } from 'bun:test'
import { type Pace, pauseLeftMs, pauseMsMax, quietMs, waitForTurn } from './background-pace'

describe('pauseLeftMs', () => {
  const pausedAtMs = 100_000

  test('is zero when no request has come recently', () => {
    const lastRequestAtMs = pausedAtMs - quietMs
    expect(pauseLeftMs({ nowMs: pausedAtMs, pausedAtMs, lastRequestAtMs })).toBe(0)
    expect(pauseLeftMs({ nowMs: 0, pausedAtMs: 0, lastRequestAtMs: Number.NEGATIVE_INFINITY })).toBe(0)
  })

  test('lasts until the site has been quiet for long enough', () => {
    const lastRequestAtMs = pausedAtMs - 1_000
    expect(pauseLeftMs({ nowMs: pausedAtMs, pausedAtMs, lastRequestAtMs })).toBe(quietMs - 1_000)
  })

  test('is zero after the maximum pause, however many requests come', () => {
    const nowMs = pausedAtMs + pauseMsMax
    expect(pauseLeftMs({ nowMs: nowMs - 1, pausedAtMs, lastRequestAtMs: nowMs - 1 })).toBe(1)
    expect(pauseLeftMs({ nowMs, pausedAtMs, lastRequestAtMs: nowMs })).toBe(0)
  })
})

describe('waitForTurn', () => {
  const nobodyWaits = async () => false

  test('resolves once requests have stopped', async () => {
    const pace = clock({ lastRequestAtMs: 4_000 })
    await waitForTurn(nobodyWaits, pace)
    expect(pace.nowMs()).toBe(4_000 + quietMs)
  })

  test('resolves after the maximum pause on a site that is never quiet', async () => {
    const pace = clock({ lastRequestAtMs: Number.POSITIVE_INFINITY })
    await waitForTurn(nobodyWaits, pace)
    expect(pace.nowMs()).toBe(pauseMsMax)
  })

  test('resolves at once for a waiting person, also one who arrives during the pause', async () => {
    const pace = clock({ lastRequestAtMs: Number.POSITIVE_INFINITY })
    await waitForTurn(async () => true, pace)
    expect(pace.nowMs()).toBe(0)
    await waitForTurn(async () => pace.nowMs() >= 1_000, pace)
    expect(pace.nowMs()).toBe(1_000)
  })
})

/** A clock that advances only while something sleeps. */
function clock({ lastRequestAtMs }: { lastRequestAtMs: number }): Pace {
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    lastRequestAtMs: () => lastRequestAtMs,
    async sleep(ms) {
      nowMs += ms
    },
  }
}
