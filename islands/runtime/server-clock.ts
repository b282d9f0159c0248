/** Smaller differences between the clocks are ignored: responses are dated to the second, and take time to arrive. */
const sameClockMs = 3_000
let offsetMs = 0

/** Sets the offset between the clocks from a response of the server. */
export function readServerClock(response: Response, nowMs = Date.now()): void {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return
  offsetMs = Math.abs(serverMs - nowMs) < sameClockMs ? 0 : serverMs - nowMs
}

/**
 * Converts a time of this clock to the server's. The clocks of devices differ by minutes, and positions from two
 * devices are ordered by time: those from a device with a slow clock would never count.
 */
export function inServerTime(date: string): string {
  return offsetMs === 0 ? date : new Date(Date.parse(date) + offsetMs).toISOString()
}

/** Converts a time of the server's clock to milliseconds since 1970 on this clock, to show how long ago it was. */
export function fromServerTime(date: string): number {
  return Date.parse(date) - offsetMs
}
