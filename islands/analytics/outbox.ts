import {
  add,
  batchSize,
  beaconSize,
  retryDelayMs,
  stamp,
  type Waiting,
  without,
} from '#islands/analytics/queue'
import { type openSession, post } from '#islands/analytics/session'
import { openEventStorage } from '#islands/analytics/storage'
import { isWorthRetrying } from '#islands/runtime/retry'

const eventsAddress = '/api/analytics/events'

/**
 * Queue of events. They are sent in batches, one batch at a time, and stored in the browser until the server has them.
 * Failed batches are retried with growing pauses of at most `retryMs`.
 */
export function openOutbox(session: ReturnType<typeof openSession>, retryMs: number) {
  const storage = openEventStorage()
  let waiting = add(storage.adopt(), [])
  let failures = 0
  let isSending = false
  let retry: Timer | null = null
  let isClosed = false
  const exit = openExit(sendLast)

  function store(next: Waiting[]): void {
    waiting = next
    storage.store(waiting)
  }

  async function flush(): Promise<void> {
    if (isSending || retry !== null || waiting.length === 0 || isClosed) return
    isSending = true
    const isSent = (session.isKnown() || (await session.meet())) && (await sendBatch())
    isSending = false
    if (isClosed) return
    if (!isSent) return waitForRetry()
    failures = 0
    if (waiting.length >= batchSize) void flush()
  }

  /** Sends the next batch. Returns false if a retry may succeed. */
  async function sendBatch(): Promise<boolean> {
    store(stamp(waiting, batchSize, session.offsetMs()))
    const batch = waiting.slice(0, batchSize)
    if (batch.length === 0) return true
    const isOver = await deliver(session.id(), batch)
    if (isOver && !isClosed) store(without(waiting, batch))
    return isOver
  }

  function waitForRetry(): void {
    failures += 1
    const delayMs = retryDelayMs(failures)
    console.warn(`Analytics events could not be sent${delayMs === null ? '; they wait' : ''}`)
    // Without retries left, the events stay stored until the next heartbeat, or until the network is back.
    retry = setTimeout(resume, delayMs ?? retryMs)
  }

  function resume(): void {
    if (retry !== null) clearTimeout(retry)
    retry = null
    void flush()
  }

  /** Sends pending events as the page closes. The server counts an event once, also of a batch that is under way. */
  function sendLast(): void {
    if (!navigator.onLine || !session.isKnown()) return
    store(stamp(waiting, beaconSize, session.offsetMs()))
    const batch = waiting.slice(0, beaconSize)
    if (batch.length > 0 && deliverLast(session.id(), batch)) store(without(waiting, batch))
  }

  return {
    put(event: Waiting): void {
      store(add(waiting, [event]))
      if (exit.isLeaving()) sendLast()
      else if (waiting.length >= batchSize) void flush()
    },
    flush,
    /** Call it when the network is back. */
    resume,
    store: () => storage.store(waiting),
    ...exit,
    /** Empties the queue, and sends nothing more. */
    close(): void {
      isClosed = true
      if (retry !== null) clearTimeout(retry)
      waiting = []
      storage.clear()
    },
  }
}

/** Sends a batch. Returns true if it was accepted or refused for good, false if a retry may succeed. */
async function deliver(sessionId: string | null, batch: readonly Waiting[]): Promise<boolean> {
  try {
    const response = await post(eventsAddress, toBody(sessionId, batch))
    // The connection stays open until the body is read.
    await response.text()
    const { ok, status } = response
    if (!ok && isWorthRetrying(status)) return false
    if (!ok) console.warn(`Analytics events were refused: ${status}`)
    return true
  } catch {
    return false
  }
}

/** Hands a batch to the browser, which sends it even if the page is closed. Returns false if the browser refuses it. */
function deliverLast(sessionId: string | null, batch: readonly Waiting[]): boolean {
  const body = new Blob([JSON.stringify(toBody(sessionId, batch))], { type: 'application/json' })
  return navigator.sendBeacon(eventsAddress, body)
}

/** Sends the remaining events when the page is hidden or left, perhaps for good. */
function openExit(sendLast: () => void) {
  let isLeaving = false
  return {
    /** While the page is being left, new events are sent at once. */
    isLeaving: () => isLeaving,
    hide(): void {
      if (document.visibilityState !== 'visible') sendLast()
    },
    leave(): void {
      isLeaving = true
      sendLast()
    },
    /** The page is shown again from the browser's back/forward cache. */
    stay(): void {
      isLeaving = false
    },
  }
}

function toBody(sessionId: string | null, batch: readonly Waiting[]) {
  return { ...(sessionId && { sessionId }), events: batch.map(({ atMs: _, ...event }) => event) }
}
