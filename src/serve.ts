import { startNocturne } from '#src/start'

/** Started through npx or `bun run`, one Ctrl+C arrives twice: from the terminal, and passed on by them. */
const sameWishMs = 1_000

/** Serves until a signal says stop; another one, given after a moment, does not wait. */
export async function serve(): Promise<void> {
  const running = await startNocturne()
  let stoppingSince: number | null = null
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      if (stoppingSince !== null) {
        if (performance.now() - stoppingSince > sameWishMs) process.exit(1)
        return
      }
      stoppingSince = performance.now()
      await running.stop()
      process.exit(0)
    })
  }
}
