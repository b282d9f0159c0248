import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { operatorIdleSeconds } from '#src/member/rules'

/** The notice appears this long before the session ends. */
export const noticeSeconds = 3 * 60
export const lookSeconds = 15
/** Storage key through which the tabs of a browser share the time of the operator's last request. */
const seenKey = 'nocturne.operator.seen'

/** Records that the server has accepted an operator's request now. */
export function markSeen(): void {
  writeStored('localStorage', seenKey, String(Date.now()))
}

/**
 * Returns the seconds until the idle time or the session itself ends, whichever comes first. A request of any tab
 * counts.
 */
export function secondsLeft(endsAtMs: number | null): number {
  const seenAtMs = Number(readStored('localStorage', seenKey)) || Date.now()
  const idleEndMs = seenAtMs + operatorIdleSeconds * 1_000
  return (Math.min(idleEndMs, endsAtMs ?? idleEndMs) - Date.now()) / 1_000
}
