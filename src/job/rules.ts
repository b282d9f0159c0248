/** Constants of the queue. Browser-safe: no imports. */

/** Lease of a job. A worker without a heartbeat for this long counts as dead, and another one takes its job. */
export const leaseSeconds = 60
/** Interval of heartbeats: three fit into a lease, so one may fail. */
export const heartbeatSeconds = 20
/** How often a worker polls for jobs that another process has queued, or whose retry is due. */
export const pollSeconds = 1.5
/** Priorities by who is waiting for the job; the lowest number runs first. */
export const priorities = {
  /** An operator waits at a terminal, or while an import is applied. */
  now: 10,
  /** Someone has requested it on a page. */
  person: 50,
  /** A listener has pressed Play on an item that is not narrated yet. */
  listener: 60,
  usual: 100,
  /** A scan of the whole library. */
  scan: 200,
  /** From here on nobody waits: these jobs run one by one, while the server is idle. */
  background: 500,
} as const
/** Progress is written at most this often, which is enough for a moving bar. */
export const progressSeconds = 0.5
/** How long stopping waits for running jobs; orchestrators kill after ten seconds. */
export const stopSeconds = 5
/** How long ended jobs are retained. */
export const retentionDays = 30

/** Seconds before the next attempt: 5, 20, 80…, at most ten minutes, with a jitter of a fifth. */
export function backoffSeconds(attempts: number, random = Math.random()): number {
  return Math.min(600, 5 * 4 ** Math.max(0, attempts - 1)) * (0.8 + 0.4 * random)
}

/** Shown to operators for a job whose worker is dead. A free worker takes it soon. */
export const abandonedWords = 'Its process has ended; it resumes automatically.'

/** Shown while operators have paused the queue. */
export const pausedWords =
  'The queue is paused: no job starts. Mails are still sent, and running jobs finish.'

/** Says what a queued job waits for; `job` is null while its state is unknown. */
export function waitingWords(job: { isPaused: boolean } | null): string {
  return job?.isPaused ? 'waits: the queue is paused' : 'waits for its turn'
}

/** The states of a job; the last three are final. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

/** The kinds of jobs. Each has a handler in one of the workers. */
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
 * Mails, and jobs that write one. A paused queue lets them through, since without them nobody can sign in or recover an
 * account. They contain sealed addresses and are deleted a day after they are done.
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

/** The display name of a kind of job. */
export function jobKindName(kind: string): string {
  const known = jobKinds.find((each) => each === kind)
  return known ? kindNames[known] : kind
}
