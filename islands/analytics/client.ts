import type { Early } from '#islands/analytics/gate'
import { openOutbox } from '#islands/analytics/outbox'
import { openSession } from '#islands/analytics/session'
import { attachSink } from '#islands/listening/track-event'
import { randomName } from '#islands/runtime/random-name'

/** How often events are sent and the session is extended, and which DOM events count as activity. */
const flushMs = 5_000
const heartbeatMs = 30_000
const activities = ['click', 'keypress', 'scroll', 'mousemove'] as const

export type Client = { stop(): void }

/**
 * Starts the analytics client. It collects events and sends them in batches, within a session that it extends. Unsent
 * events are stored in the browser. `early` are the events recorded before the client was loaded.
 */
export function startClient(early: readonly Early[]): Client {
  const session = openSession()
  const outbox = openOutbox(session, heartbeatMs)
  let activeAtMs = Date.now()

  function record({ eventType, fields, atMs, page }: Early): void {
    const { contentId, contentType, positionSec, totalSec, data } = fields
    if (eventType === 'user_login' || eventType === 'user_register') void session.meet()
    outbox.put({
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
    })
  }

  const onActivity = () => {
    activeAtMs = Date.now()
  }
  const stops = [
    attachSink((eventType, fields) =>
      record({ eventType, fields, atMs: Date.now(), page: location.pathname }),
    ),
    every(flushMs, () => void outbox.flush()),
    every(heartbeatMs, () => {
      outbox.store()
      if (document.visibilityState === 'visible') void session.meet()
    }),
    on(document, 'visibilitychange', outbox.hide),
    on(window, 'pagehide', outbox.leave),
    on(window, 'pageshow', outbox.stay),
    on(window, 'online', outbox.resume),
    ...activities.map((name) => on(document, name, onActivity)),
  ]
  for (const each of early) record(each)
  void session.meet().then(() => outbox.flush())

  return {
    /**
     * Call it when consent is withdrawn: it empties the queue, stops all timers, and removes the visitor from the
     * session.
     */
    stop(): void {
      for (const stop of stops) stop()
      outbox.close()
      session.end()
    },
  }
}

/** Returns a UUID of version 4. `crypto.randomUUID` is missing on plain HTTP. */
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
