import { sameWishMs } from '#src/server/stop-signal'

/** The exit codes of shells: 128 and the signal's number. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes

/** A command that Ctrl-C, or a service manager, has ended before it was done. */
export class Stopped extends Error {
  readonly exitCode: number

  constructor(signal: StopSignal) {
    super('Stopped. What was under way was not done; what was done before stays.')
    this.exitCode = exitCodes[signal]
  }
}

/**
 * Runs the work of a command with a signal that Ctrl-C and SIGTERM abort, so that it can remove half a file and stop
 * the PostgreSQL that it has started. Throws `Stopped` then, unless the work was done all the same. A second signal, sent
 * after a moment, ends the process at once.
 */
export async function stoppable<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = controller.signal
  let stoppedAt = Number.POSITIVE_INFINITY
  const onSignal = (signal: StopSignal) => {
    if (performance.now() - stoppedAt > sameWishMs) process.exit(exitCodes[signal])
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
 * Waits for `working`. At a stop `hangUp` makes it fail; where it waits for something else it is left a moment later.
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

/** For removing files whose rows do not come any more. */
const cleaningMs = 1_000
