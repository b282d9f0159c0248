import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#db/db'
import { type Embedded, startEmbedded } from '#db/embedded/start'
import { freePort } from '#scripts/bench/servers'

const root = join(import.meta.dir, '../..')
export const tortureToken = 'a token for the torture that is long enough'

/** The program under torture: a process of its own that is killed and started again on the same folder. */
export type Target = {
  origin: string
  dataDir: string
  /** The test's own connection to the same database, past any proxy between the program and it. */
  db: Database
  pid(): number
  /** SIGKILL, as by a power cut: it cannot be handled. */
  kill(): Promise<void>
  /** Waits until the program reports that it is ready. */
  start(): Promise<void>
  stop(): Promise<void>
}

export type TargetOptions = {
  dataDir?: string
  /** The database's address for the program, given the real one. */
  through?: (url: string) => Promise<string>
  environment?: Record<string, string>
  /** The largest size of a file of the program's: a larger write fails with EFBIG. */
  fileKilobytesMax?: number
}

/**
 * Starts the program with a real PostgreSQL under the same folder. Clients behind its trusted proxy choose their own
 * address.
 */
export async function openTarget({
  through,
  environment = {},
  fileKilobytesMax,
  ...options
}: TargetOptions = {}): Promise<Target> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'nocturne-torture-'))
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  const databaseUrl = await through?.(embedded.url)
  const port = freePort()
  const origin = `http://127.0.0.1:${port}`
  const launch = () =>
    Bun.spawn([...limitsOf(fileKilobytesMax), process.execPath, 'src/server/main.ts'], {
      cwd: root,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: Bun.file(join(dataDir, 'torture.log')),
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
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...environment,
      },
    })
  let child = launch()
  await ready(origin, child)
  const db = openDatabase(embedded.url, { max: 3, applicationName: 'torture' })
  return {
    origin,
    dataDir,
    db,
    pid: () => child.pid,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async start() {
      child = launch()
      await ready(origin, child)
    },
    stop: () => stop(child, db, embedded, options.dataDir === undefined ? dataDir : null),
  }
}

/** The signal of a write past the limit would end the program: it is ignored, as in services with such a limit. */
function limitsOf(fileKilobytesMax: number | undefined): string[] {
  if (fileKilobytesMax === undefined) return []
  return ['sh', '-c', `trap '' XFSZ; ulimit -f ${fileKilobytesMax * 2}; exec "$@"`, 'sh']
}

async function stop(
  child: Bun.Subprocess,
  db: Database,
  embedded: Embedded,
  folder: string | null,
): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
  await db.close()
  await embedded.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
}

async function ready(origin: string, child: Bun.Subprocess): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode} while it started.`)
    const isReady = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await Bun.sleep(25)
  }
  throw new Error('The program did not get ready in a minute.')
}
