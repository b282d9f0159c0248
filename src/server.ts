import { startNocturne } from '#src/start'

/** Listens until it is told to stop; a second signal does not wait. */
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
