/** Workers of this process, to be told that there is work; those of others look by themselves. */
const sleepers = new Set<() => void>()

/** Registers a worker; answers how to take it out again. */
export function onWake(wake: () => void): () => void {
  sleepers.add(wake)
  return () => sleepers.delete(wake)
}

export function wakeWorkers(): void {
  for (const wake of sleepers) wake()
}

/** Jobs that run in this process, to be stopped at once when one of them is cancelled here. */
export const runningHere = new Map<string, AbortController>()
