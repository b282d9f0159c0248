import { errorFields, type Log } from '#src/log'

type Repetition = {
  /** Between two beginnings. */
  seconds: number
  /** Whether it begins at once, or with the first interval. */
  first: 'now' | 'later'
  /** What the log says when it fails: once, until it has worked again. */
  failure: string
  log: Log
}

/**
 * Does some work again and again until it is stopped, never twice at once: where it takes longer than its
 * interval, that is left out. `stop` waits for what is under way.
 */
export function every(
  { seconds, first, failure, log }: Repetition,
  work: () => Promise<unknown>,
): { stop(): Promise<void> } {
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
