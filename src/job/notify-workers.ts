/** Workers of this process, notified when a job is queued; workers of other processes poll. */
const waiters = new Set<() => void>()

/** Registers a worker; answers how to take it out again. */
export function onJobQueued(notify: () => void): () => void {
  waiters.add(notify)
  return () => waiters.delete(notify)
}

export function notifyWorkers(): void {
  for (const notify of waiters) notify()
}

/** Jobs that run in this process, to be stopped at once when one of them is cancelled here. */
export const runningHere = new Map<string, AbortController>()
