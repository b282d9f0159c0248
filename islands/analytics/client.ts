import type { Early } from '#islands/analytics/gate'
import { listTransitions, readIdentity } from '#islands/analytics/identity'
import {
  add,
  batchSize,
  beaconSize,
  clockOffsetMs,
  isWorthRetrying,
  retryDelayMs,
  stamp,
  type Waiting,
  without,
} from '#islands/analytics/queue'
import { openEventStorage } from '#islands/analytics/storage'
import { keepStored, readStored } from '#islands/browser-storage'
import { randomName } from '#islands/random-name'
import { attachSink, pushToDataLayer } from '#islands/track-event'

/** visitor.md §9 */
const flushMs = 5_000
const heartbeatMs = 30_000
const activities = ['click', 'keypress', 'scroll', 'mousemove'] as const

const sessionName = 'nocturne.session'
const identityName = 'nocturne.identity'
const eventsAddress = '/api/analytics/events'
const sessionAddress = '/api/analytics/session'

export type Client = { stop(): void }

/**
 * The analytics client (visitor.md §4): gathers events and sends them in batches, in a session that it keeps
 * alive. What cannot be sent waits in the browser's storage. `early` is what happened before it was there.
 */
export function startClient(early: readonly Early[]): Client {
  const storage = openEventStorage()
  let waiting = add(storage.adopt(), [])
  let sessionId = readStored('sessionStorage', sessionName)
  let isSessionKnown = false
  let offsetMs = 0
  let failures = 0
  let isSending = false
  let retry: Timer | null = null
  let activeAtMs = Date.now()
  let isStopped = false

  function take({ eventType, fields, atMs, page }: Early): void {
    const { contentId, contentType, positionSec, totalSec, data } = fields
    const event: Waiting = {
      id: uuid(),
      eventType,
      atMs,
      deltaMs: Math.max(0, atMs - activeAtMs),
      page,
      ...(contentId && { contentId }),
      ...(contentType && { contentType }),
      ...(positionSec !== undefined && { positionSec }),
      ...(totalSec !== undefined && { totalSec }),
      ...(data && { data }),
    }
    keep(add(waiting, [event]))
    if (eventType === 'user_login' || eventType === 'user_register') void meet()
    if (waiting.length >= batchSize) void flush()
  }

  function keep(next: Waiting[]): void {
    waiting = next
    storage.keep(waiting)
  }

  /** Opens the session or keeps it alive, and hears who is there. False where that failed. */
  async function meet(): Promise<boolean> {
    const now = new Date().toISOString()
    const body = sessionId ? { sessionId, lastSeen: now } : { consent: true, timestamp: now, ...arrival() }
    try {
      const response = await post(sessionAddress, body)
      const answer = await response.json()
      if (!response.ok) return false
      offsetMs = clockOffsetMs(response.headers.get('date'), Date.now())
      if (isStopped) return false
      sessionId = answer.sessionId
      keepStored('sessionStorage', sessionName, sessionId)
      isSessionKnown = true
      identify(answer.userId)
      return true
    } catch {
      return false
    }
  }

  function identify(userId: string | null): void {
    const before = readIdentity(readStored('sessionStorage', identityName))
    for (const transition of listTransitions(before, { userId })) pushToDataLayer(transition)
    keepStored('sessionStorage', identityName, userId ?? '')
  }

  async function flush(): Promise<void> {
    if (isSending || retry !== null || waiting.length === 0 || isStopped) return
    isSending = true
    const isSent = (isSessionKnown || (await meet())) && (await sendBatch())
    isSending = false
    if (isStopped) return
    if (!isSent) return waitForRetry()
    failures = 0
    if (waiting.length >= batchSize) void flush()
  }

  /** False where it is worth another try. */
  async function sendBatch(): Promise<boolean> {
    keep(stamp(waiting, batchSize, offsetMs))
    const batch = waiting.slice(0, batchSize)
    if (batch.length === 0) return true
    try {
      const response = await post(eventsAddress, toBody(batch))
      // A body that nobody reads keeps the request open.
      await response.text()
      const { ok, status } = response
      if (!ok && isWorthRetrying(status)) return false
      if (!ok) console.warn(`Analytics events were refused: ${status}`)
      if (!isStopped) keep(without(waiting, batch))
      return true
    } catch {
      return false
    }
  }

  function waitForRetry(): void {
    failures += 1
    const delayMs = retryDelayMs(failures)
    console.warn(`Analytics events could not be sent${delayMs === null ? '; they wait' : ''}`)
    // Given up for now: they are kept, and tried again with the next heartbeat, or when the network is back.
    retry = setTimeout(resume, delayMs ?? heartbeatMs)
  }

  function resume(): void {
    if (retry !== null) clearTimeout(retry)
    retry = null
    void flush()
  }

  /** The page is hidden, perhaps for good: the browser sends the rest, whatever becomes of the page. */
  function leave(): void {
    if (document.visibilityState === 'visible' || isSending || !navigator.onLine) return
    keep(stamp(waiting, beaconSize, offsetMs))
    const batch = waiting.slice(0, beaconSize)
    if (batch.length === 0) return
    const body = new Blob([JSON.stringify(toBody(batch))], { type: 'application/json' })
    if (navigator.sendBeacon(eventsAddress, body)) keep(without(waiting, batch))
  }

  const toBody = (batch: readonly Waiting[]) => ({
    ...(sessionId && { sessionId }),
    events: batch.map(({ atMs: _, ...event }) => event),
  })

  const onActivity = () => {
    activeAtMs = Date.now()
  }
  const stops = [
    attachSink((eventType, fields) => take({ eventType, fields, atMs: Date.now(), page: location.pathname })),
    every(flushMs, () => void flush()),
    every(heartbeatMs, () => {
      storage.keep(waiting)
      if (document.visibilityState === 'visible') void meet()
    }),
    on(document, 'visibilitychange', leave),
    on(window, 'pagehide', leave),
    on(window, 'online', resume),
    ...activities.map((name) => on(document, name, onActivity)),
  ]
  for (const each of early) take(each)
  void meet().then(() => flush())

  return {
    /** Consent is withdrawn: nothing waits any more, no timer runs, and the session is nobody's. */
    stop(): void {
      isStopped = true
      for (const stop of stops) stop()
      if (retry !== null) clearTimeout(retry)
      waiting = []
      storage.clear()
      for (const name of [sessionName, identityName]) keepStored('sessionStorage', name, null)
      pushToDataLayer({ event: 'reset' })
      void post(sessionAddress, { consent: false, timestamp: new Date().toISOString() })
        .then((response) => response.text())
        .catch(() => {})
    },
  }
}

function post(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Where someone came from, and the campaign that an address names. */
function arrival() {
  const asked = new URLSearchParams(location.search)
  const utm = Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].flatMap((name) => {
      const value = asked.get(`utm_${name}`)
      return value ? [[name, value.slice(0, 200)]] : []
    }),
  )
  const referrer = URL.parse(document.referrer)
  return {
    locale: navigator.language,
    ...(referrer && referrer.origin !== location.origin && { referrer: referrer.origin }),
    ...(Object.keys(utm).length > 0 && { utm }),
  }
}

/** A UUID of version 4; `crypto.randomUUID` is missing on plain http. */
function uuid(): string {
  return randomName().replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}

function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

function on(target: EventTarget, name: string, handle: () => void): () => void {
  target.addEventListener(name, handle, { capture: true, passive: true })
  return () => target.removeEventListener(name, handle, { capture: true })
}
