/** Smaller differences between the clocks are ignored: responses are dated to the second, and take time to arrive. */
const sameClockMs = 3_000
let offsetMs = 0

/** Sets the offset of this clock from an answer of the server. */
export function readServerClock(response: Response, nowMs = Date.now()): void {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return
  offsetMs = Math.abs(serverMs - nowMs) < sameClockMs ? 0 : serverMs - nowMs
}

/**
 * Converts a time of this clock to the server's. Devices disagree by minutes, and positions of two devices are ordered
 * by time: reports of a device with a slow clock would never count.
 */
export function inServerTime(date: string): string {
  return offsetMs === 0 ? date : new Date(Date.parse(date) + offsetMs).toISOString()
}

/** A time of the server's in milliseconds since 1970 as this clock counts them, to say how long ago it was. */
export function fromServerTime(date: string): number {
  return Date.parse(date) - offsetMs
}
