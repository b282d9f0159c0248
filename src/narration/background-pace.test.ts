import { describe, expect, test } from 'bun:test'
import { type Pace, pauseLeftMs, pauseMsMax, quietMs, waitForTurn } from './background-pace'

describe('a pause of background narration', () => {
  const pausedAtMs = 100_000

  test('there is none where no request has come for a while', () => {
    const lastRequestAtMs = pausedAtMs - quietMs
    expect(pauseLeftMs({ nowMs: pausedAtMs, pausedAtMs, lastRequestAtMs })).toBe(0)
    expect(pauseLeftMs({ nowMs: 0, pausedAtMs: 0, lastRequestAtMs: Number.NEGATIVE_INFINITY })).toBe(0)
  })

  test('it lasts until it has been quiet for a while', () => {
    const lastRequestAtMs = pausedAtMs - 1_000
    expect(pauseLeftMs({ nowMs: pausedAtMs, pausedAtMs, lastRequestAtMs })).toBe(quietMs - 1_000)
  })

  test('it ends after its maximum, however many requests come', () => {
    const nowMs = pausedAtMs + pauseMsMax
    expect(pauseLeftMs({ nowMs: nowMs - 1, pausedAtMs, lastRequestAtMs: nowMs - 1 })).toBe(1)
    expect(pauseLeftMs({ nowMs, pausedAtMs, lastRequestAtMs: nowMs })).toBe(0)
  })
})

describe('the turn of background narration', () => {
  const nobodyWaits = async () => false

  test('comes when the requests have ended', async () => {
    const pace = clock({ lastRequestAtMs: 4_000 })
    await waitForTurn(nobodyWaits, pace)
    expect(pace.nowMs()).toBe(4_000 + quietMs)
  })

  test('comes on a site that is never quiet, at last', async () => {
    const pace = clock({ lastRequestAtMs: Number.POSITIVE_INFINITY })
    await waitForTurn(nobodyWaits, pace)
    expect(pace.nowMs()).toBe(pauseMsMax)
  })

  test('comes at once where a person waits, also one who has come during the pause', async () => {
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
