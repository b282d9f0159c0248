import { connect } from './connect'

/** Callbacks of a listener. None of them may throw. */
export type NotificationListener = {
  onNotification(): void
  /** LISTEN has started, for the first time or after a reconnection. Earlier notifications were missed. */
  onListening(): void
  /** The connection is lost. Notifications are missed until the next `onListening`. */
  onFailure(error: unknown): void
  /** The connection is dead without an error, as when a machine loses its power or its network. */
  onSilence(): void
}

/** How often a query tests the connection, and how long the answer may take. */
export type Heartbeat = { everyMs: number; answerMs: number }
const heartbeatDefault: Heartbeat = { everyMs: 15_000, answerMs: 10_000 }
const pauseMsMax = 2_000

/**
 * Listens for notifications of a channel until it is stopped, on a connection of its own. Whenever that is lost or
 * refused (for example by a standby that is not promoted yet), it reconnects and listens again. `listening` resolves
 * with the first LISTEN. `url` has to be PostgreSQL's own, because a pooler gives each transaction another connection.
 */
export function listen(
  url: string,
  channel: string,
  listener: NotificationListener,
  heartbeat = heartbeatDefault,
) {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  const callbacks: NotificationListener = {
    ...listener,
    onListening() {
      first.resolve()
      listener.onListening()
    },
  }
  const attempt = () => listenOnce(url, channel, callbacks, { ...heartbeat, signal: stopping.signal })
  const running = listenAgain(attempt, callbacks, stopping.signal)
  return {
    listening: first.promise,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Calls `listenOnce` until it is stopped: at once after a lost connection, after a pause if none can be opened. */
async function listenAgain(
  listenOnce: () => Promise<{ wasListening: boolean; error: unknown }>,
  { onFailure }: NotificationListener,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = 0
  while (!signal.aborted) {
    const { wasListening, error } = await listenOnce()
    if (signal.aborted) return
    onFailure(error)
    pauseMs = wasListening ? 0 : Math.min(pauseMsMax, pauseMs * 2 || 50)
    await pause(pauseMs, signal)
  }
}

/** Listens on one connection until it is lost or stopped. */
async function listenOnce(
  url: string,
  channel: string,
  { onNotification, onListening, onSilence }: NotificationListener,
  { everyMs, answerMs, signal }: Heartbeat & { signal: AbortSignal },
): Promise<{ wasListening: boolean; error: unknown }> {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  // The driver accepts the first one, but its types do not know it.
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
