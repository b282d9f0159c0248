import { setTimeout as sleep } from 'node:timers/promises'
import { findLastRequestMs } from '#src/process/request-activity'

/** Background synthesis waits until no request has come for this long: a page and what it loads are over. */
export const quietMs = 3_000
/**
 * A pause lasts no longer, so that a busy site is narrated too: after it half a second is worked
 * (src/narration/synthesis/worker.ts), a twentieth of the time.
 */
export const pauseMsMax = 10_000
/** How often a pause looks whether a person has come to wait for the narration. */
const lookMs = 500

/** The milliseconds that a pause, begun at `pausedAtMs`, still lasts at `nowMs`; 0: the work goes on. */
export function pauseLeftMs(times: { nowMs: number; pausedAtMs: number; lastRequestAtMs: number }): number {
  const endsAtMs = Math.min(times.lastRequestAtMs + quietMs, times.pausedAtMs + pauseMsMax)
  return Math.max(0, endsAtMs - times.nowMs)
}

/** The clock, and when the last request came; tests have their own. */
export type Pace = {
  nowMs(): number
  lastRequestAtMs(): number
  sleep(ms: number): Promise<unknown>
}

/** The pace of this process; a pause ends with `signal`, by throwing. */
export function processPace(signal: AbortSignal): Pace {
  return {
    nowMs: () => performance.now(),
    lastRequestAtMs: findLastRequestMs,
    sleep: (ms) => sleep(ms, undefined, { signal }),
  }
}

/** Waits until background work may go on: at once where a person has come to wait for it. */
export async function waitForTurn(isWanted: () => Promise<boolean>, pace: Pace): Promise<void> {
  const pausedAtMs = pace.nowMs()
  for (;;) {
    const leftMs = pauseLeftMs({ nowMs: pace.nowMs(), pausedAtMs, lastRequestAtMs: pace.lastRequestAtMs() })
    if (leftMs === 0 || (await isWanted())) return
    await pace.sleep(Math.min(leftMs, lookMs))
  }
}
