/** Timeouts and retries of providers. Tests set other values. */
export type ProviderLimits = {
  connectSeconds: number
  /** Time for one request and its answer. */
  totalSeconds: number
  retries: number
  /** The first wait. Each further one is twice as long, give or take a half. */
  backoffSeconds: number
  /** The longest Retry-After to wait for. After a longer one the job is queued again. */
  waitSecondsMax: number
  /** Failures in a row after which a provider is not called for a while. */
  breakerFailures: number
  breakerSeconds: number
  answerBytesMax: number
}

export const providerLimits: ProviderLimits = {
  connectSeconds: 5,
  totalSeconds: 120,
  retries: 3,
  backoffSeconds: 0.8,
  waitSecondsMax: 10,
  breakerFailures: 5,
  breakerSeconds: 60,
  answerBytesMax: 32 * 1024 * 1024,
}
