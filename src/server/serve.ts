import { readEnvOrExit } from '#src/server/read-env'
import { startNocturne } from '#src/server/start'
import { onStopSignal } from '#src/server/stop-signal'
import { servingMessage, supervise } from '#src/server/supervise'

/**
 * Serves until a stop signal, in as many processes as PROCESSES says. A second signal, sent after a moment, ends it at
 * once.
 */
export async function serve(): Promise<void> {
  const env = readEnvOrExit()
  if (env.processes > 1 && env.processNumber === 0) return supervise(env)
  const running = await startNocturne(env)
  const stop = onStopSignal(() => running.stop())
  if (env.processNumber === 0) return
  // If the supervisor is killed, its processes stop too.
  process.on('disconnect', stop)
  process.send?.(servingMessage)
}
