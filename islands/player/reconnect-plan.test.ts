import { describe, expect, test } from 'bun:test'
import { isOver, isSameLoss, type Loss, planAttempt } from './reconnect-plan'

const loss: Loss = { startedAtMs: 0, positionSeconds: 40, attempts: 0 }

describe('reconnecting', () => {
  test('pauses for 1, 2, 4, 8, 15 and then 30 seconds', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6].map((attempts) =>
      planAttempt({ ...loss, attempts }, { nowMs: 0, random: 0 }),
    )
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000])
  })

  test('spreads the attempts of many listeners, but not before Retry-After', () => {
    expect(planAttempt(loss, { nowMs: 0, random: 1 })).toBe(750)
    expect(planAttempt(loss, { nowMs: 0, random: 0, retryAfterSeconds: 60 })).toBe(60_000)
    expect(planAttempt(loss, { nowMs: 0, random: 1, retryAfterSeconds: 60 })).toBe(75_000)
  })

  test('ends after five minutes', () => {
    const attempts = 20
    expect(planAttempt({ ...loss, attempts }, { nowMs: 270_000, random: 0 })).toBe(30_000)
    expect(planAttempt({ ...loss, attempts }, { nowMs: 270_001, random: 0 })).toBeNull()
    expect(planAttempt(loss, { nowMs: 0, random: 0, retryAfterSeconds: 3_600 })).toBeNull()
    expect([300_000, 300_001].map((nowMs) => isOver(loss, nowMs))).toEqual([false, true])
  })

  test('continues if playback stops again within ten seconds of the loss', () => {
    expect([40, 49, 50, 31, 30].map((seconds) => isSameLoss(loss, seconds))).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
  })
})
