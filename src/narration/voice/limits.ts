/** Timeouts and retries of providers. Tests use their own. */
export type ProviderLimits = {
  connectSeconds: number
  /** One request with its answer. */
  totalSeconds: number
  retries: number
  /** The first wait; each next one is twice as long, give or take a half. */
  backoffSeconds: number
  /** A Retry-After up to this is waited for here; with a longer one the job is queued again. */
  waitSecondsMax: number
  /** After so many failures in a row a provider is not called for a while. */
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
