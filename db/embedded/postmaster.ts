import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile, readlink, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '#db/connect'
import { AppError } from '#src/app-error'
import { findBinaries, programPath } from './binaries'
import { type Place, superuserUrl } from './place'
import { asOurselves, runProgram } from './programs'
import type { Launch } from './root'

const logBytesMax = 1_000_000
/** Recovery after a crash reads the log since the last checkpoint. That takes a second, on a slow disk a minute. */
const startSecondsMax = 90
const stopSecondsMax = 60
/** Higher than any system's highest process id. */
const impossiblePid = 2_147_483_646

/**
 * The state of a cluster's server. `running`: it answers. `busy`: it does not answer yet, because it is starting,
 * recovering or stopping. `stopped`: there is none, even if a postmaster.pid is left over.
 */
export type ServerState =
  | { state: 'running'; pid: number; version: string }
  | { state: 'busy'; pid: number }
  | { state: 'stopped' }

export async function inspect(place: Place): Promise<ServerState> {
  const pid = await readPid(place.cluster)
  if (pid === null) return { state: 'stopped' }
  const answer = await identify(place)
  if ('version' in answer) return { state: 'running', pid, version: answer.version }
  if (answer.is === 'not yet') return { state: 'busy', pid }
  if (answer.is === 'nobody' && (await isPostmaster(pid, place.cluster))) return { state: 'busy', pid }
  return { state: 'stopped' }
}

async function readPid(cluster: string): Promise<number | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || null
}

/** Whether the server at the address is the one of this cluster. */
async function identify(
  place: Place,
): Promise<{ version: string } | { is: 'not yet' | 'another' | 'nobody' }> {
  // Without its socket the server cannot answer. Checked first, because the driver's error could arrive after the query
  // is over.
  if (
    'sockets' in place.address &&
    !existsSync(join(place.address.sockets, `.s.PGSQL.${place.address.port}`))
  )
    return { is: 'nobody' }
  const sql = connect(superuserUrl(place), { max: 1, connect_timeout: 2, fetch_types: false })
  try {
    const [row] = await sql<{ folder: string; version: string }[]>`
      select current_setting('data_directory') as folder, current_setting('server_version') as version`
    return row?.folder === place.cluster ? { version: row.version } : { is: 'another' }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return { is: code === '57P03' || code === '57P01' ? 'not yet' : 'nobody' }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Whether the process is this cluster's server. Another program may have its id by now; a server's working folder is
 * its cluster.
 */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Waits for a server that does not answer yet. Returns whether one is running afterwards. */
export async function findRunning(place: Place, log: (message: string) => void): Promise<boolean> {
  const begin = Date.now()
  let isReported = false
  for (;;) {
    const state = await inspect(place)
    if (state.state !== 'busy') return state.state === 'running'
    const waited = Date.now() - begin
    if (waited > startSecondsMax * 1000)
      throw new AppError('not_configured', await describeSilence(place, state.pid))
    if (waited > 3000 && !isReported) {
      isReported = true
      log('The database is recovering or stopping; waiting for it.')
    }
    await Bun.sleep(20)
  }
}

async function describeSilence(place: Place, pid: number): Promise<string> {
  return (
    `Process ${pid} holds ${place.cluster} but has not answered for ${startSecondsMax} s. If it is not ` +
    `PostgreSQL, remove postmaster.pid there; else see ${place.logFile}:\n${await logTail(place)}`
  )
}

/** Starts the server of a cluster that has none running, and waits until it answers. */
export async function startPostmaster(launch: Launch, settings: Record<string, string>): Promise<void> {
  const deadline = Date.now() + startSecondsMax * 1000
  await disownLocks(launch.place)
  while (!(await tryStart(launch, settings, deadline))) {
    if (Date.now() > deadline) {
      throw new AppError(
        'not_configured',
        `PostgreSQL did not answer within ${startSecondsMax} s. See ${launch.place.logFile}:\n${await logTail(launch.place)}`,
      )
    }
    await Bun.sleep(100)
  }
}

/**
 * Replaces a dead server's process id in its lock files. A killed server leaves its id in two files, and PostgreSQL
 * refuses to start while any process has that id. The files are not removed, because PostgreSQL also learns from them
 * whether children of the killed server are still writing.
 */
async function disownLocks({ cluster, address }: Place): Promise<void> {
  const socketLock = 'sockets' in address ? [join(address.sockets, `.s.PGSQL.${address.port}.lock`)] : []
  for (const file of [join(cluster, 'postmaster.pid'), ...socketLock]) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const pid = Number.parseInt(text, 10)
    // Overwritten in place instead of recreated: on a full disk an emptied file would stay empty, and prevent
    // PostgreSQL from starting.
    if (pid && isAlive(pid))
      await writeFile(file, text.replace(/^\d+/, String(impossiblePid)), { flag: 'r+' })
  }
}

/**
 * Tries to start the server. Returns false if the last children of a killed server are still running; they end soon.
 */
async function tryStart(
  launch: Launch,
  settings: Record<string, string>,
  deadline: number,
): Promise<boolean> {
  const { place, runAs, binaries } = launch
  await rotateLog(place.logFile)
  const log = openSync(place.logFile, 'a', 0o600)
  const server = runProgram(runAs, programPath(binaries, 'postgres'), serverFlags(place, settings), log)
  closeSync(log)
  server.unref()
  while (server.exitCode === null && server.signalCode === null) {
    if ((await inspect(place)).state === 'running') return true
    if (Date.now() > deadline) return false
    await Bun.sleep(10)
  }
  const tail = await logTail(place)
  if (/pre-existing shared memory block|could not bind/.test(tail)) return false
  throw new AppError(
    'not_configured',
    `PostgreSQL did not start (exit ${server.exitCode}). See ${place.logFile}:\n${tail}`,
  )
}

function serverFlags({ cluster, address }: Place, settings: Record<string, string>): string[] {
  const all = {
    port: String(address.port),
    listen_addresses: 'password' in address ? '127.0.0.1' : '',
    unix_socket_directories: 'password' in address ? '' : address.sockets,
    ...settings,
  }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found && found.size > logBytesMax) await rename(path, `${path}.1`)
}

async function logTail(place: Place): Promise<string> {
  const text = await readFile(place.logFile, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-6).join('\n')
}

/** Requests a fast shutdown, which disconnects clients and writes a checkpoint, and waits for it to complete. */
export async function stopPostmaster(place: Place): Promise<void> {
  const pid = await readPid(place.cluster)
  if (pid === null) return
  if (process.platform === 'win32') {
    const flags = ['stop', '-D', place.cluster, '-m', 'fast', '-W']
    await runProgram(asOurselves, programPath(await findBinaries(), 'pg_ctl'), flags, 'ignore').exited
  } else {
    process.kill(pid, 'SIGINT')
  }
  const deadline = Date.now() + stopSecondsMax * 1000
  while ((await readPid(place.cluster)) !== null) {
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${pid}) did not stop in ${stopSecondsMax} s.`)
    await Bun.sleep(10)
  }
}
