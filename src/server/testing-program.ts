import { afterAll, beforeAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '#scripts/build'
import { serverProgram } from '#scripts/bundle-server'

const root = join(import.meta.dir, '../..')

export type Started = {
  pid: number
  url: string
  output: string
  /** The log output so far. */
  log(): string
  stop(): Promise<number>
  /** Sends SIGKILL, like a power cut. */
  kill(): Promise<number>
}

/**
 * Starts the program as people do: a separate process that is given only an environment. It is killed at the end of the
 * test file at the latest. Call this at the top of a file.
 */
export async function programStarter() {
  const dataDir = await mkdtemp(join(tmpdir(), 'nocturne-start-'))
  const running = new Set<Bun.Subprocess>()
  beforeAll(ensureBuilt)
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })

  function run(environment: Record<string, string>, entry = serverProgram) {
    const child = Bun.spawn([process.execPath, entry], {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        PORT: '0',
        AGE_GATE: 'off',
        DATA_DIR: dataDir,
        // These tests read the log, in which a busy machine would leave warnings about slow statements.
        SLOW_STATEMENT_MS: '0',
        ...environment,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    running.add(child)
    void child.exited.then(() => running.delete(child))
    return child
  }

  /** Starts the program and waits until it has printed its address. */
  async function start(environment: Record<string, string>): Promise<Started> {
    const child = run(environment)
    const log = collect(child.stderr)
    let output = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      output += decoder.decode(chunk, { stream: true })
      if (/api\/docs\n[\s\S]*\n$/.test(output)) break
    }
    const url = /is open at (\S+)/.exec(output)?.[1]
    if (!url) throw new Error(`The program did not start: ${output}${log()}`)
    return {
      pid: child.pid,
      url,
      output,
      log,
      // Sends both signals, as npx does: one from the terminal, and one forwarded by the parent process. They arrive
      // together, even if this process stalls between them: a second later the second one would end the program at once.
      async stop() {
        for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) child.kill(signal)
        return child.exited
      },
      kill() {
        child.kill('SIGKILL')
        return child.exited
      },
    }
  }

  /** Returns the error message of a program that does not start. */
  async function complaintOf(environment: Record<string, string>): Promise<string> {
    const child = run(environment)
    const [code, complaint] = await Promise.all([child.exited, new Response(child.stderr).text()])
    if (code !== 1) throw new Error(`The program ended with ${code}: ${complaint}`)
    return complaint
  }

  return { dataDir, run, start, complaintOf }
}

function collect(stream: ReadableStream<Uint8Array>): () => string {
  let text = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  })()
  return () => text
}
