import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { operatorIdleSeconds } from '#src/member/rules'

/** The notice appears this long before the end. */
export const noticeSeconds = 3 * 60
export const lookSeconds = 15
/** Under this name the tabs of one browser share the time of the operator's last call. */
const seenKey = 'nocturne.operator.seen'

/** The server has accepted an operator's call now. */
export function markSeen(): void {
  writeStored('localStorage', seenKey, String(Date.now()))
}

/** Until the idle time or the session itself ends, whichever comes first; any tab's call counts. */
export function secondsLeft(endsAtMs: number | null): number {
  const seenAtMs = Number(readStored('localStorage', seenKey)) || Date.now()
  const idleEndMs = seenAtMs + operatorIdleSeconds * 1_000
  return (Math.min(idleEndMs, endsAtMs ?? idleEndMs) - Date.now()) / 1_000
}
