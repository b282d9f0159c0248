/**
 * Signals within this time count as one: started through npx or `bun run`, one Ctrl+C arrives twice, from the terminal
 * and from them.
 */
export const sameSignalMs = 1_000

/**
 * Calls `stop` at a stop signal and then ends the process. A second signal, sent after a moment, ends it at once.
 * Returns the signal handler.
 */
export function onStopSignal(stop: () => Promise<void>): () => Promise<void> {
  let stoppingSince: number | null = null
  const handle = async () => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    await stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, handle)
  return handle
}
