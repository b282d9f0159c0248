export type TimeLimit = { over: Promise<never>; close(): void }

/** `over` rejects after so many minutes, and at a stop signal: what was started can be stopped in either case. */
export function openTimeLimit(minutes: number): TimeLimit {
  const { promise, reject } = Promise.withResolvers<never>()
  // A signal may come while nobody waits yet.
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
