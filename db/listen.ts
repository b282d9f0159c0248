import { connect } from './connect'

/** What a listener does; none of it may throw. */
export type Listener = {
  onNotification(): void
  /** LISTEN was taken up, at first or again: notifications before it were not heard. */
  onListening(): void
  /** Notifications are not heard for now. */
  onFailure(error: unknown): void
  /** The other end has vanished without a word, as a machine does that loses its power or its network. */
  onSilence(): void
}

/** How often the other end is asked whether it is still there, and how long it may take to answer. */
export type Heartbeat = { everyMs: number; answerMs: number }
const heartbeatDefault: Heartbeat = { everyMs: 15_000, answerMs: 10_000 }
const pauseMsMax = 2_000

/**
 * Listens for notifications of a channel until it is stopped, on a connection of its own; it is opened again, and
 * LISTEN taken up again, whenever it is lost or was refused: by a standby that is not promoted yet, say. `listening`
 * resolves with the first LISTEN. `url` is PostgreSQL's own: a pooler gives each transaction another connection.
 */
export function listen(url: string, channel: string, listener: Listener, heartbeat = heartbeatDefault) {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  const heard: Listener = {
    ...listener,
    onListening() {
      first.resolve()
      listener.onListening()
    },
  }
  const hearing = () => hear(url, channel, heard, { ...heartbeat, signal: stopping.signal })
  const running = listenAgain(hearing, heard, stopping.signal)
  return {
    listening: first.promise,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Calls `hear` until it is stopped: at once after a connection was lost, later where there is none to be had. */
async function listenAgain(
  hear: () => Promise<{ wasListening: boolean; error: unknown }>,
  { onFailure }: Listener,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = 0
  while (!signal.aborted) {
    const { wasListening, error } = await hear()
    if (signal.aborted) return
    onFailure(error)
    pauseMs = wasListening ? 0 : Math.min(pauseMsMax, pauseMs * 2 || 50)
    await pause(pauseMs, signal)
  }
}

/** Listens on one connection until that is lost, or it is stopped. */
async function hear(
  url: string,
  channel: string,
  { onNotification, onListening, onSilence }: Listener,
  { everyMs, answerMs, signal }: Heartbeat & { signal: AbortSignal },
): Promise<{ wasListening: boolean; error: unknown }> {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  // The driver takes the first one without having a type for it.
  const events = {
    onnotify: onNotification,
    onclose: () => lost.reject(new Error('The connection was lost.')),
  }
  const sql = connect(url, {
    ...events,
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: 'nocturne notifications' },
  })
  let wasListening = false
  try {
    await Promise.race([sql.unsafe(`listen "${channel}"`), lost.promise])
    wasListening = true
    onListening()
    while (!signal.aborted) {
      await Promise.race([pause(everyMs, signal), lost.promise])
      const answer = sql`select`.then(() => 'an answer')
      const silence = pause(answerMs, signal)
      if ((await Promise.race([answer, lost.promise, silence])) || signal.aborted) continue
      onSilence()
      throw new Error('The database did not answer.')
    }
    return { wasListening, error: null }
  } catch (error) {
    return { wasListening, error }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
