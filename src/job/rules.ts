/** Numbers of the queue. Browser-safe: no imports. */

/** A worker that has not been heard of for so long is gone, and its job is taken by another. */
export const leaseSeconds = 60
/** Three heartbeats fit into a lease: one may fail. */
export const heartbeatSeconds = 20
/** How often a worker looks for work that another process has queued, or that is due again. */
export const pollSeconds = 1.5
/** Progress is written at most this often: enough for a bar that moves. */
export const progressSeconds = 0.5
/** Stopping waits so long for what is nearly done; an orchestrator kills after ten. */
export const stopSeconds = 5
/** What is over is kept so long, for the list of jobs. */
export const keptDays = 30

/** Seconds before the next try: 5, 20, 80…, at most ten minutes, give or take a fifth. */
export function backoffSeconds(attempts: number, random = Math.random()): number {
  return Math.min(600, 5 * 4 ** Math.max(0, attempts - 1)) * (0.8 + 0.4 * random)
}

/** What operators read of a job that should run while nobody runs it: it is taken up as soon as a worker is free. */
export const abandonedWords = 'Its program has gone; it will be taken up again.'

/** What lists and buttons work with. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
