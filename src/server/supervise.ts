import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Env, type SupervisedProcess, supervisedEnvironment } from '#src/env'
import { createLog } from '#src/process/log'
import { onStopSignal } from './stop-signal'

/** The message that a process sends its supervisor once it serves. */
export const servingMessage = 'serving'

/** The pause before a process that ended is restarted. It doubles while the process keeps ending. */
const pauseMs = { least: 200, most: 30_000 }
/** After a process has run for longer than this, the pause is the shortest again. */
const goodMs = 60_000

/**
 * Runs `env.processes` processes of this program on one port until a stop signal, and restarts those that end. The
 * first one creates and migrates the database; the others are started once it serves. Resolves when all serve. Ends the
 * process if the first one does not start.
 */
export async function supervise(env: Env): Promise<void> {
  const log = createLog(env.logLevel)
  const port = env.port === 0 ? freePort(env.host) : env.port
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-'))
  const running = new Set<Bun.Subprocess>()
  let isStopping = false

  async function keepRunning(number: number, onServing: () => void): Promise<void> {
    for (let pause = pauseMs.least; !isStopping; pause = Math.min(pauseMs.most, pause * 2)) {
      const startedAt = performance.now()
      const child = startProcess({ number, port, folder }, onServing)
      running.add(child)
      const code = await child.exited
      running.delete(child)
      if (isStopping) return
      log.error('a process has ended; another one is started', { number, code })
      if (performance.now() - startedAt > goodMs) pause = pauseMs.least
      await Bun.sleep(pause)
    }
  }

  onStopSignal(async () => {
    isStopping = true
    for (const child of running) child.kill('SIGTERM')
    await Promise.all([...running].map((child) => child.exited))
    rmSync(folder, { recursive: true, force: true })
  })
  for (let number = 1; number <= env.processes; number += 1) {
    const serving = Promise.withResolvers<void>()
    void keepRunning(number, serving.resolve)
    const [child] = running
    // If the first process does not start (it has logged the reason), the others would not start either.
    const code = number === 1 ? await Promise.race([serving.promise, child?.exited]) : await serving.promise
    if (typeof code !== 'number') continue
    rmSync(folder, { recursive: true, force: true })
    process.exit(code)
  }
  log.info('all processes serve', { processes: env.processes })
}

/** Starts one of several processes of this program, with the same arguments. */
function startProcess(supervised: SupervisedProcess, onServing: () => void): Bun.Subprocess {
  return Bun.spawn([process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    env: supervisedEnvironment(supervised),
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc(message) {
      if (message === servingMessage) onServing()
    },
  })
}

/** Finds a free port for all processes to share. With port 0, each would get a different one. */
function freePort(hostname: string): number {
  const server = Bun.serve({ port: 0, hostname, fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}
