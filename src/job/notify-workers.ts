/**
 * Workers of this process, which are notified when a job is queued. Workers of other processes poll (see also
 * notify-other-processes.ts).
 */
const waiters = new Set<() => void>()

/**
 * Minimum time between two notifications, since an import queues thousands of jobs in one transaction. If jobs were
 * queued during that time, workers are notified once more at its end, when they may have been committed.
 */
const restMs = 100
let resting: Timer | null = null
let isNotifiedAgain = false

/** Registers a worker; returns a function that removes it. */
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

/** Abort controllers of the jobs that run in this process, so that cancelling one here stops it at once. */
export const runningHere = new Map<string, AbortController>()
