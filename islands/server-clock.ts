/** Answers are dated to the second and take a moment: clocks that differ by less are the same. */
const sameClockMs = 3_000
let offsetMs = 0

/** Learns from an answer how far this clock is from the server's. */
export function readServerClock(response: Response, nowMs = Date.now()): void {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return
  offsetMs = Math.abs(serverMs - nowMs) < sameClockMs ? 0 : serverMs - nowMs
}

/**
 * A moment of this clock by the server's. Devices disagree about the time by minutes, and positions of two
 * devices are ordered by it: one whose clock is slow would never be heard.
 */
export function inServerTime(moment: string): string {
  return offsetMs === 0 ? moment : new Date(Date.parse(moment) + offsetMs).toISOString()
}
