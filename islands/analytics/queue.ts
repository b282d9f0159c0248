import type { AnalyticsEvent, EventFields } from '#islands/track-event'

/** What waits to be sent. `timestamp` is set when it is sent first, and then stays: a retry is the same event. */
export type Waiting = EventFields & {
  id: string
  eventType: AnalyticsEvent
  atMs: number
  timestamp?: string
  deltaMs: number
  page: string
}

/** visitor.md §9 */
export const batchSize = 10
export const retriesMax = 3
/** What the server takes at once: the last word of a page says all it can. */
export const beaconSize = 50
/** Whoever is offline for an evening comes back with this many, the newest. */
export const waitingMax = 500

/** The newest `waitingMax`, the oldest of them first. */
export function add(waiting: readonly Waiting[], more: readonly Waiting[]): Waiting[] {
  return [...waiting, ...more].slice(-waitingMax)
}

/** The first events, with the moments they are sent under; `offsetMs` is how far the clock here is behind. */
export function stamp(waiting: readonly Waiting[], count: number, offsetMs: number): Waiting[] {
  return waiting.map((event, at) =>
    at < count && event.timestamp === undefined
      ? { ...event, timestamp: new Date(event.atMs + offsetMs).toISOString() }
      : event,
  )
}

/** Without those that were sent. */
export function without(waiting: readonly Waiting[], sent: readonly Waiting[]): Waiting[] {
  const ids = new Set(sent.map(({ id }) => id))
  return waiting.filter(({ id }) => !ids.has(id))
}

/** Milliseconds until the next try after so many failures in a row; null when it is time to wait for better days. */
export function retryDelayMs(failures: number): number | null {
  return failures <= retriesMax ? 2 ** failures * 1000 : null
}

/** What the server refuses for what it is will be refused again; a busy or absent one is asked again. */
export function isWorthRetrying(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

/** Smaller differences are the way of the answer, not a clock that is wrong. */
const clockToleranceMs = 120_000

/** How far the clock here is behind the server's, as far as it matters. */
export function clockOffsetMs(serverDate: string | null, nowMs: number): number {
  const offset = serverDate ? Date.parse(serverDate) - nowMs : 0
  return Math.abs(offset) > clockToleranceMs ? offset : 0
}

/** What was kept as text; nothing where it cannot be read. */
export function readWaiting(text: string | null): Waiting[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter(isWaiting) : []
  } catch {
    return []
  }
}

function isWaiting(each: unknown): each is Waiting {
  return typeof each === 'object' && each !== null && 'id' in each && 'eventType' in each && 'atMs' in each
}
