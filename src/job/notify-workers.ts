/** Workers of this process, notified when a job is queued; workers of other processes poll. */
const waiters = new Set<() => void>()

/**
 * An import queues thousands of jobs in one transaction: its workers look once in this time, and once more after the
 * last of them, when it may have been committed.
 */
const restMs = 100
let resting: Timer | null = null
let isNotifiedAgain = false

/** Registers a worker; answers how to take it out again. */
export function onJobQueued(notify: () => void): () => void {
  waiters.add(notify)
  return () => waiters.delete(notify)
}

export function notifyWorkers(): void {
  isNotifiedAgain = resting !== null
  if (isNotifiedAgain) return
  for (const notify of waiters) notify()
  resting = setTimeout(endRest, restMs)
  resting.unref()
}

function endRest(): void {
  resting = null
  if (isNotifiedAgain) notifyWorkers()
}

/** Jobs that run in this process, to be stopped at once when one of them is cancelled here. */
export const runningHere = new Map<string, AbortController>()
