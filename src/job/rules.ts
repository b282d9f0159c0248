/** Numbers of the queue. Browser-safe: no imports. */

/** A worker without a heartbeat for this long counts as dead, and another one takes its job. */
export const leaseSeconds = 60
/** Three heartbeats fit into a lease: one may fail. */
export const heartbeatSeconds = 20
/** How often a worker polls for jobs that another process has queued, or whose retry is due. */
export const pollSeconds = 1.5
/** Which job goes first, by who waits for it: the lower one. */
export const priorities = {
  /** An operator at a terminal, or while an import is applied. */
  now: 10,
  /** Who has asked for it on a page. */
  person: 50,
  /** A listener who pressed Play on an item that is not spoken yet. */
  listener: 60,
  usual: 100,
  /** The whole library, read once more. */
  scan: 200,
  /** From here on nobody waits: it is done one by one, while the server is idle. */
  background: 500,
} as const
/** Progress is written at most this often: enough for a bar that moves. */
export const progressSeconds = 0.5
/** Stopping waits this long for jobs that are nearly done; orchestrators kill after ten seconds. */
export const stopSeconds = 5
/** Finished jobs are retained for this long. */
export const retentionDays = 30

/** Seconds before the next try: 5, 20, 80…, at most ten minutes, give or take a fifth. */
export function backoffSeconds(attempts: number, random = Math.random()): number {
  return Math.min(600, 5 * 4 ** Math.max(0, attempts - 1)) * (0.8 + 0.4 * random)
}

/** The operators' message about a job whose worker is dead: it is taken as soon as a worker is free. */
export const abandonedWords = 'Its program has gone; it will be taken up again.'

/** What holds while operators have paused the queue. */
export const pausedWords =
  'The queue is paused: no job begins. Mails are still sent, and what runs goes on to its end.'

/** What a queued job waits for; null where its state is not known yet. */
export function waitingWords(job: { isPaused: boolean } | null): string {
  return job?.isPaused ? 'waits: the queue is paused' : 'waits for its turn'
}

/** Where a job stands; the last three are its ends. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

/** The kinds of jobs that there are: each has a handler in one of the workers. */
export const jobKinds = [
  'narrate',
  'enhance',
  'import',
  'mail',
  'password-reset',
  'push',
  'guideline_scan',
  'sweep',
] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * Mails, and the jobs that write one. A paused queue lets them through: nobody signs in or recovers an account without
 * them. They hold addresses, sealed, and are deleted a day after they are done.
 */
export const mailKinds: readonly JobKind[] = ['mail', 'password-reset']

const kindNames: Record<JobKind, string> = {
  narrate: 'Narration',
  enhance: 'Script',
  import: 'Import',
  mail: 'Mail',
  'password-reset': 'Mail for a new password',
  push: 'Notification',
  guideline_scan: 'Guidelines, over the whole library',
  sweep: 'Audio files, tidied up',
}

/** The name of a kind of job. */
export function jobKindName(kind: string): string {
  const known = jobKinds.find((each) => each === kind)
  return known ? kindNames[known] : kind
}
