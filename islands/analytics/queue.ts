import type { AnalyticsEvent, EventFields } from '#islands/listening/track-event'

/**
 * A queued event. `timestamp` is set when the event is first sent and does not change, so that a retry is the same
 * event.
 */
export type Waiting = EventFields & {
  id: string
  eventType: AnalyticsEvent
  atMs: number
  timestamp?: string
  deltaMs: number
  page: string
}

/** Events in a batch, and retries of a batch. */
export const batchSize = 10
const retriesMax = 3
/** Events in the last batch of a closing page. It is the server's limit for one request. */
export const beaconSize = 50
/** Maximum number of events stored while the browser is offline. The newest are retained. */
export const waitingMax = 500

/** Appends events, and returns the newest `waitingMax` in their order. */
export function add(waiting: readonly Waiting[], more: readonly Waiting[]): Waiting[] {
  return [...waiting, ...more].slice(-waitingMax)
}

/**
 * Sets the timestamps of the first `count` events. `offsetMs` is how far this browser's clock is behind the server's.
 */
export function stamp(waiting: readonly Waiting[], count: number, offsetMs: number): Waiting[] {
  return waiting.map((event, at) =>
    at < count && event.timestamp === undefined
      ? { ...event, timestamp: new Date(event.atMs + offsetMs).toISOString() }
      : event,
  )
}

/** Returns the queue without the sent events. */
export function without(waiting: readonly Waiting[], sent: readonly Waiting[]): Waiting[] {
  const ids = new Set(sent.map(({ id }) => id))
  return waiting.filter(({ id }) => !ids.has(id))
}

/**
 * Returns the milliseconds until the next attempt after a number of failures in a row, or null if no retries are left.
 */
export function retryDelayMs(failures: number): number | null {
  return failures <= retriesMax ? 2 ** failures * 1000 : null
}

/** Differences smaller than this come from network latency, not from a wrong clock. */
const clockToleranceMs = 120_000

/** Returns how far this browser's clock is behind the server's, or 0 if the difference is small. */
export function clockOffsetMs(serverDate: string | null, nowMs: number): number {
  const offset = serverDate ? Date.parse(serverDate) - nowMs : 0
  return Math.abs(offset) > clockToleranceMs ? offset : 0
}

/** Parses stored events. Returns an empty list if the text is invalid. */
export function readWaiting(text: string | null): Waiting[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isWaiting) : []
  } catch {
    return []
  }
}

function isWaiting(each: unknown): each is Waiting {
  return typeof each === 'object' && each !== null && 'id' in each && 'eventType' in each && 'atMs' in each
}
