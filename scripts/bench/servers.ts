import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { serverProgram } from '#scripts/bundle-server'
import { untilAnswering } from '#scripts/until-ready'

const root = join(import.meta.dir, '../..')
export const benchToken = 'a token for the bench that is long enough'

export type Served = { url: string; pid: number; dataDir: string; startMs: number; stop(): Promise<void> }

/** Starts the program as a process of its own, in a fresh folder unless one is given, and waits for its first page. */
export async function serveNocturne(
  environment: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'nocturne-bench-')),
): Promise<Served> {
  const port = freePort()
  const startedAt = performance.now()
  const child = Bun.spawn([process.execPath, serverProgram], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'inherit',
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      AGE_GATE: 'off',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      ADMIN_TOKEN: benchToken,
      ...environment,
    },
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswering(`${url}/`).catch(async (error) => {
    await stopped(child)
    throw error
  })
  return { url, pid: child.pid, dataDir, startMs: performance.now() - startedAt, stop: () => stopped(child) }
}

export function forget(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

/**
 * Like `serveNocturne`, with a connection of its own to the database, for the duration of `work`. Both are removed
 * afterwards, unless they are `keptIn` a folder.
 */
export async function withServerAndDatabase(
  work: (server: Served, db: Database) => Promise<void>,
  environment?: Record<string, string>,
  keptIn?: string,
): Promise<void> {
  const server = await serveNocturne(environment, keptIn)
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const db = openDatabase(embedded.url, { max: 2 })
  try {
    await work(server, db)
  } finally {
    await db.close()
    await embedded.stop()
    await server.stop()
    if (keptIn === undefined) forget(server.dataDir)
  }
}

/** Starts a bare server from a script, as a ceiling. */
export async function serveScript(
  script: string,
  environment: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = freePort()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script)], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', PORT: String(port), ...environment },
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswering(url)
  return { url, stop: () => stopped(child) }
}

async function stopped(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
}

export function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port ?? 0
}
