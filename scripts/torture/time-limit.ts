export type TimeLimit = { over: Promise<never>; close(): void }

/**
 * `over` rejects after a number of minutes, or on a stop signal, so that what was started can be stopped in either
 * case.
 */
export function openTimeLimit(minutes: number): TimeLimit {
  const { promise, reject } = Promise.withResolvers<never>()
  // A signal may arrive before anybody waits.
  promise.catch(() => {})
  const timer = setTimeout(() => reject(new Error(`it took more than ${minutes} minutes`)), minutes * 60_000)
  const onSignal = (signal: NodeJS.Signals) => reject(new Error(`it was ended by ${signal}`))
  for (const signal of stopSignals) process.on(signal, onSignal)
  return {
    over: promise,
    close() {
      clearTimeout(timer)
      for (const signal of stopSignals) process.off(signal, onSignal)
    },
  }
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const
