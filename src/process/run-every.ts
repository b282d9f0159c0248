import { errorFields, type Log } from '#src/process/log'

type Repetition = {
  /** Seconds between the starts of two runs. */
  seconds: number
  /** Whether the first run is at once or after the first interval. */
  first: 'now' | 'later'
  /** The log's message about a failure. It is logged once, until a run has succeeded again. */
  failure: string
  log: Log
}

export type RepeatedWork = { stop(): Promise<void> }

/**
 * Runs work at an interval until it is stopped, never concurrently: a run that takes longer skips the next one. `stop`
 * waits for the current run.
 */
export function runEvery(
  { seconds, first, failure, log }: Repetition,
  work: () => Promise<unknown>,
): RepeatedWork {
  let underWay: Promise<void> | null = null
  let hasFailed = false

  async function run(): Promise<void> {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn(failure, errorFields(error))
      hasFailed = true
    }
  }

  function tick(): void {
    underWay ??= run().finally(() => {
      underWay = null
    })
  }

  const timer = setInterval(tick, seconds * 1_000)
  if (first === 'now') tick()
  return {
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}
