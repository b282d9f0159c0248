import { startNocturne } from '#src/start'

/** Serves until a signal says stop; a second signal does not wait. */
export async function serve(): Promise<void> {
  const running = await startNocturne()
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      if (isStopping) process.exit(1)
      isStopping = true
      await running.stop()
      process.exit(0)
    })
  }
}
