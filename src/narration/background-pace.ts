import { setTimeout as sleep } from 'node:timers/promises'
import { findLastRequestMs } from '#src/process/request-activity'

/**
 * Background synthesis waits until there has been no request for this long. By then a page and its files are loaded.
 */
export const quietMs = 3_000
/**
 * The longest pause, so that narrations progress on a busy site too. Each pause is followed by half a second of work
 * (src/narration/synthesis/worker.ts), a twentieth of the time.
 */
export const pauseMsMax = 10_000
/** How often a pause checks whether a person is waiting for the narration. */
const lookMs = 500

/** The remaining milliseconds at `nowMs` of a pause that began at `pausedAtMs`. 0 when it is over. */
export function pauseLeftMs(times: { nowMs: number; pausedAtMs: number; lastRequestAtMs: number }): number {
  const endsAtMs = Math.min(times.lastRequestAtMs + quietMs, times.pausedAtMs + pauseMsMax)
  return Math.max(0, endsAtMs - times.nowMs)
}

/** A clock, the time of the last request, and a sleep, which tests replace. */
export type Pace = {
  nowMs(): number
  lastRequestAtMs(): number
  sleep(ms: number): Promise<unknown>
}

/** The pace of this process. Aborting `signal` ends a pause by throwing. */
export function processPace(signal: AbortSignal): Pace {
  return {
    nowMs: () => performance.now(),
    lastRequestAtMs: findLastRequestMs,
    sleep: (ms) => sleep(ms, undefined, { signal }),
  }
}

/** Waits until background work may continue: at once if a person is waiting for it. */
export async function waitForTurn(isWanted: () => Promise<boolean>, pace: Pace): Promise<void> {
  const pausedAtMs = pace.nowMs()
  for (;;) {
    const leftMs = pauseLeftMs({ nowMs: pace.nowMs(), pausedAtMs, lastRequestAtMs: pace.lastRequestAtMs() })
    if (leftMs === 0 || (await isWanted())) return
    await pace.sleep(Math.min(leftMs, lookMs))
  }
}
