import { sameSignalMs } from '#src/server/stop-signal'

/** The exit codes that shells use: 128 plus the number of the signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes

/** A command was ended by Ctrl-C or a service manager before it was done. */
export class Stopped extends Error {
  readonly exitCode: number

  constructor(signal: StopSignal) {
    super('Stopped. What was in progress was not done; what was done before stays.')
    this.exitCode = exitCodes[signal]
  }
}

/**
 * Runs the work of a command. Ctrl-C and SIGTERM abort its signal, so that it can remove unfinished files and stop the
 * PostgreSQL that it has started. Throws `Stopped` then, unless the work completes anyway. A second signal after a
 * moment ends the process at once.
 */
export async function stoppable<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = controller.signal
  let stoppedAt = Number.POSITIVE_INFINITY
  const onSignal = (signal: StopSignal) => {
    if (performance.now() - stoppedAt > sameSignalMs) process.exit(exitCodes[signal])
    stoppedAt = Math.min(stoppedAt, performance.now())
    controller.abort(new Stopped(signal))
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    return await work(stop)
  } catch (error) {
    throw stop.aborted ? stop.reason : error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/**
 * Waits for `working`. On a stop, `hangUp` makes it fail. If it is waiting for something else, it is abandoned a moment
 * later.
 */
export async function untilStopped<T>(
  working: Promise<T>,
  stop: AbortSignal,
  hangUp: () => Promise<void>,
): Promise<T> {
  const left = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', async () => {
      await hangUp()
      await Bun.sleep(cleaningMs)
      reject(stop.reason)
    })
  })
  return Promise.race([working, left])
}

/** Time to remove files whose rows will not arrive any more. */
const cleaningMs = 1_000
