import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#scripts/bench/servers'
import { serverProgram } from '#scripts/bundle-server'
import { untilReady } from '#scripts/until-ready'

const root = join(import.meta.dir, '../..')
export const tortureToken = 'a token for the torture that is long enough'

export type ProgramOptions = {
  dataDir: string
  /** A free port by default. */
  port?: number
  environment?: Record<string, string>
  /** The largest size of a file of the program. A larger write fails with EFBIG. */
  fileKilobytesMax?: number
}

/** The program as a process of its own, which can be killed and started again with the same folder and port. */
export type Program = {
  origin: string
  port: number
  pid(): number
  /** Sends SIGKILL, which cannot be handled, like a power cut. */
  kill(): Promise<void>
  /** Sends SIGTERM. Resolves once the process has ended. */
  terminate(): Promise<void>
  /** Starts the process, and waits until it reports that it is ready. */
  start(): Promise<void>
  /** Sends SIGKILL and prevents any later start. */
  remove(): Promise<void>
  /** Returns the end of its log since its last start. */
  lastWords(): Promise<string>
}

/** Starts the program behind a trusted proxy, so that clients can choose their own address. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const port = options.port ?? freePort()
  const origin = `http://127.0.0.1:${port}`
  let child = launch(options, port)
  let isRemoved = false
  const ready = () =>
    untilReady(origin, () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The program ended with ${child.exitCode ?? child.signalCode} while it started.`)
    })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await child.exited
  }
  await ready().catch(async (error) => {
    await end('SIGKILL')
    throw error
  })
  return {
    origin,
    port,
    pid: () => child.pid,
    kill: () => end('SIGKILL'),
    terminate: () => end('SIGTERM'),
    async start() {
      if (isRemoved) throw new Error('The program is not started again.')
      child = launch(options, port)
      await ready()
    },
    remove() {
      isRemoved = true
      return end('SIGKILL')
    },
    async lastWords() {
      const log = await readFile(logOf(options), 'utf8').catch(() => '')
      return log.trimEnd().split('\n').slice(-3).join('\n').slice(-2_000)
    },
  }
}

function launch({ dataDir, environment, fileKilobytesMax }: ProgramOptions, port: number): Bun.Subprocess {
  mkdirSync(dataDir, { recursive: true })
  return Bun.spawn([...limitsOf(fileKilobytesMax), process.execPath, ...cheapPasswords, serverProgram], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(logOf({ dataDir })),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      AGE_GATE: 'off',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '127.0.0.1',
      ADMIN_TOKEN: tortureToken,
      ...environment,
    },
  })
}

/**
 * Cheap hashing, because losses do not depend on it, and a crowd of newcomers would otherwise hash passwords all the
 * time.
 */
const cheapPasswords = ['--preload', './src/testing/cheap-passwords.ts']

function logOf({ dataDir }: Pick<ProgramOptions, 'dataDir'>): string {
  return join(dataDir, 'torture.log')
}

/**
 * Returns a prefix that limits the size of files. The signal of a write past the limit would end the program, so it is
 * ignored, as in services with such a limit.
 */
function limitsOf(fileKilobytesMax: number | undefined): string[] {
  if (fileKilobytesMax === undefined) return []
  return ['sh', '-c', `trap '' XFSZ; ulimit -f ${fileKilobytesMax * 2}; exec "$@"`, 'sh']
}
