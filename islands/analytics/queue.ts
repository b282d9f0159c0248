import type { AnalyticsEvent, EventFields } from '#islands/listening/track-event'

/** A queued event. `timestamp` is set when it is first sent, and then stays: a retry is the same event. */
export type Waiting = EventFields & {
  id: string
  eventType: AnalyticsEvent
  atMs: number
  timestamp?: string
  deltaMs: number
  page: string
}

/** The number of events in a batch, and of retries of one. */
export const batchSize = 10
const retriesMax = 3
/** The server's limit for one call: the last batch of a closing page is this large. */
export const beaconSize = 50
/** Events that are stored while the browser is offline, at most: the newest. */
export const waitingMax = 500

/** The newest `waitingMax` events, in their order. */
export function add(waiting: readonly Waiting[], more: readonly Waiting[]): Waiting[] {
  return [...waiting, ...more].slice(-waitingMax)
}

/** The first events, with the timestamps that they are sent under; `offsetMs` is how far the clock here is behind. */
export function stamp(waiting: readonly Waiting[], count: number, offsetMs: number): Waiting[] {
  return waiting.map((event, at) =>
    at < count && event.timestamp === undefined
      ? { ...event, timestamp: new Date(event.atMs + offsetMs).toISOString() }
      : event,
  )
}

/** The queue without the sent events. */
export function without(waiting: readonly Waiting[], sent: readonly Waiting[]): Waiting[] {
  const ids = new Set(sent.map(({ id }) => id))
  return waiting.filter(({ id }) => !ids.has(id))
}

/** Milliseconds until the next attempt after so many failures in a row; null when retries are over for now. */
export function retryDelayMs(failures: number): number | null {
  return failures <= retriesMax ? 2 ** failures * 1000 : null
}

/**
 * Whether a retry may succeed: the server would refuse an invalid request again, while a busy or unreachable server
 * may accept it later.
 */
export function isWorthRetrying(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

/** Smaller differences are network latency, not a wrong clock. */
const clockToleranceMs = 120_000

/** How far the clock here is behind the server's, as far as it matters. */
export function clockOffsetMs(serverDate: string | null, nowMs: number): number {
  const offset = serverDate ? Date.parse(serverDate) - nowMs : 0
  return Math.abs(offset) > clockToleranceMs ? offset : 0
}

/** The events of a stored text; none where it cannot be parsed. */
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
