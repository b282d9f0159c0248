/**
 * Whether a retry may succeed. The server would refuse an invalid request again; a busy or unreachable server may
 * accept it later.
 */
export function isWorthRetrying(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

/** Returns the pause in seconds after a number of earlier pauses. The last of `pausesSeconds` repeats. */
export function pauseAfter(pausesSeconds: readonly number[], earlier: number): number {
  return pausesSeconds[earlier] ?? pausesSeconds.at(-1) ?? 0
}
