import { closeSync, openSync } from 'node:fs'
import { readFile, readlink, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from './db'
import { type Binaries, programPath } from './embedded-binaries'
import type { Place, RunAs } from './embedded-place'

const port = 5432
const logBytesMax = 1_000_000
/** Recovery after a crash reads the log since the last checkpoint: seconds, on a slow disk a minute. */
const startSecondsMax = 90

/** `postmaster.pid`, as far as it is written yet. */
interface PidFile {
  pid: number
  port: number
  sockets: string
}

/**
 * What stands at a cluster: a server that answers; one that is there and does not answer yet (starting,
 * recovering, stopping); or none, whatever a left-over postmaster.pid says.
 */
export type Standing =
  | { state: 'running'; pid: number }
  | { state: 'busy'; pid: number }
  | { state: 'stopped' }

/** Makes sure that the cluster's server answers: finds it, waits for it, or starts it. */
export async function ensureRunning(
  place: Place,
  binaries: Binaries,
  settings: Record<string, string>,
): Promise<{ adopted: boolean }> {
  const deadline = Date.now() + startSecondsMax * 1000
  for (;;) {
    const standing = await inspect(place)
    if (standing.state === 'running') return { adopted: true }
    if (standing.state === 'stopped' && (await start(place, binaries, settings, deadline)))
      return { adopted: false }
    if (Date.now() > deadline) throw new Error(await describeSilence(place, standing))
    await Bun.sleep(50)
  }
}

async function describeSilence(place: Place, standing: Standing): Promise<string> {
  const who = standing.state === 'busy' ? `Process ${standing.pid} holds ${place.cluster} but` : 'PostgreSQL'
  return `${who} does not answer after ${startSecondsMax} s. See ${place.logFile}:\n${await logTail(place)}`
}

export async function inspect(place: Place): Promise<Standing> {
  const file = await readPidFile(place.cluster)
  if (!file) return { state: 'stopped' }
  const answer = await ask(place, file)
  if (answer === 'ours') return { state: 'running', pid: file.pid }
  if (answer === 'not yet' || (answer === 'nobody' && (await isPostmaster(file.pid, place.cluster)))) {
    return { state: 'busy', pid: file.pid }
  }
  return { state: 'stopped' }
}

async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , portLine, sockets] = text.split('\n')
  if (!pid) return null
  return { pid: Number(pid), port: Number(portLine), sockets: sockets ?? '' }
}

/** Asks whoever answers at the socket whether it is the server of this very cluster. */
async function ask(place: Place, file: PidFile): Promise<'ours' | 'not yet' | 'other' | 'nobody'> {
  const sql = connect(superuserUrl(place), { max: 1, connect_timeout: 2, fetch_types: false })
  try {
    const [row] = await sql`select current_setting('data_directory') as folder`
    return row?.folder === place.cluster ? 'ours' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === '57P03' || code === '57P01' ? 'not yet' : 'nobody'
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A process id may have gone to another program since: the postmaster's working folder is its cluster. */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Starts the server and waits until it answers. Returns false where another one was in the way, such as
 * the last children of a killed one, which are gone in a moment.
 */
async function start(
  place: Place,
  binaries: Binaries,
  settings: Record<string, string>,
  deadline: number,
): Promise<boolean> {
  await rotateLog(place.logFile)
  const log = openSync(place.logFile, 'a', 0o600)
  const server = run(place.runAs, [programPath(binaries, 'postgres'), ...serverFlags(place, settings)], log)
  closeSync(log)
  server.unref()
  while (server.exitCode === null) {
    const standing = await inspect(place)
    if (standing.state === 'running' && standing.pid === server.pid) return true
    if (Date.now() > deadline) return false
    await Bun.sleep(10)
  }
  const tail = await logTail(place)
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(tail)) return false
  throw new Error(`PostgreSQL did not start (exit ${server.exitCode}). See ${place.logFile}:\n${tail}`)
}

function serverFlags(place: Place, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '',
    unix_socket_directories: place.sockets,
    port: String(port),
    ...settings,
  }
  return ['-D', place.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** In a session of its own: a Ctrl-C in the terminal is for us, and we may die without it. */
export function run({ prefix, uid, gid }: RunAs, command: string[], output: number) {
  return Bun.spawn([...prefix, ...command], {
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    // None of PGDATA, PGPORT, PGOPTIONS and the like from outside.
    env: { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    ...(uid === undefined ? {} : { uid, gid }),
  })
}

async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found && found.size > logBytesMax) await rename(path, `${path}.1`)
}

async function logTail(place: Place): Promise<string> {
  const text = await readFile(place.logFile, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-8).join('\n')
}

export function superuserUrl(place: Place): string {
  return socketUrl(place, 'postgres', 'postgres')
}

/** The form that libpq, psql and `connect` of db.ts read. */
export function socketUrl(place: Place, user: string, database: string): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURI(place.sockets)}`
}

/** Asks the server to hang up, write everything down and end; waits until it has. */
export async function stopPostmaster(place: Place): Promise<void> {
  const file = await readPidFile(place.cluster)
  if (!file) return
  process.kill(file.pid, 'SIGINT')
  const deadline = Date.now() + 60_000
  while (await readPidFile(place.cluster)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (process ${file.pid}) did not stop within 60 s.`)
    await Bun.sleep(10)
  }
}
