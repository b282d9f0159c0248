import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinaries } from './binaries'
import { ensureCluster } from './cluster'
import { withLock } from './lock'
import { addressUrl, baseFolder, findPlace, type Place } from './place'
import { findRunning, inspect, startPostmaster, stopPostmaster } from './postmaster'
import { prepareLaunch, type RootRules } from './root'
import { isAlone, lockServer, type ServerLock } from './server-lock'

export interface Embedded {
  /** The address for openDatabase. It stays the same when the server is restarted. */
  url: string
  /** Whether the server was running already, started by another process or by one that was killed. */
  adopted: boolean
  /** The folder of the cluster. */
  place: string
  /**
   * Releases the server; close your databases before. The last process stops the server. While another process uses it
   * (the CLI beside the server, a psql), it continues to run.
   */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Receives messages for the operator. */
  log?: (message: string) => void
  /** Settings for the server's command line. They override postgresql.conf. */
  settings?: Record<string, string>
  /** How to run PostgreSQL as root, which it refuses: see root.ts. */
  root?: RootRules
}

/**
 * Starts the PostgreSQL that belongs to `dataDir`, or adopts one that is running there, and creates the database
 * `nocturne`. If the server ends before `stop`, it is restarted. Several processes may do this at once. On a platform
 * without binaries, throws an error that names DATABASE_URL.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { lockFile } = await findPlace(options.dataDir)
  return withLock(lockFile, async () => {
    const { place, adopted } = await bringUp(options)
    const serverLock = lockServer(place, () => bringBack(place, options), options.log ?? console.error)
    await ensureDatabase(serverLock, place)
    let stopped: Promise<void> | undefined
    return {
      url: addressUrl(place, 'nocturne', 'nocturne'),
      adopted,
      place: place.cluster,
      stop: () => {
        stopped ??= letGo(place, serverLock)
        return stopped
      },
    }
  })
}

async function bringUp(options: EmbeddedOptions): Promise<{ place: Place; adopted: boolean }> {
  const { dataDir, log = console.error, settings = {}, root } = options
  const found = await findPlace(dataDir)
  if (await findRunning(found, log)) return { place: found, adopted: true }
  const launch = await prepareLaunch(found, await findBinaries(), log, root)
  await ensureCluster(launch)
  await startPostmaster(launch, settings)
  return { place: launch.place, adopted: false }
}

/**
 * Restarts a server that has ended. If the cluster was removed, it is not created again, empty, under a running
 * program.
 */
async function bringBack(place: Place, options: EmbeddedOptions): Promise<void> {
  if (!existsSync(place.cluster))
    throw new Error(`${place.cluster} is gone. Put it back, or stop this program.`)
  await bringUp(options)
}

/**
 * Creates the role and the database. The program's role is no superuser, so that whatever works here works with any
 * DATABASE_URL.
 */
async function ensureDatabase({ sql }: ServerLock, { address }: Place): Promise<void> {
  const roles = await sql`select from pg_roles where rolname = 'nocturne'`
  const password = 'password' in address ? `password '${address.password}'` : ''
  if (roles.length === 0) await sql.unsafe(`create role nocturne login ${password}`)
  const databases = await sql`select from pg_database where datname = 'nocturne'`
  if (databases.length === 0) await sql`create database nocturne owner nocturne`
}

/**
 * Releases the server and stops it if this process is the last. It holds the lock, so that no process adopts the server
 * between the check and the stop.
 */
async function letGo(place: Place, serverLock: ServerLock): Promise<void> {
  serverLock.isOver = true
  await withLock(place.lockFile, async () => {
    const isLast = (await inspect(place)).state === 'running' && (await isAlone(serverLock))
    await serverLock.sql.end({ timeout: 5 })
    if (isLast) await stopPostmaster(place)
  })
}

/** Returns the state of the cluster at `dataDir`, for `doctor`. Starts and creates nothing. */
export async function embeddedStatus(dataDir: string): Promise<{
  state: 'running' | 'stopped' | 'absent'
  pid?: number
  /** The folder of the cluster. */
  place: string
  version?: string
}> {
  if (!existsSync(baseFolder(dataDir)))
    return { state: 'absent', place: join(baseFolder(dataDir), 'cluster') }
  const place = await findPlace(dataDir)
  const major = await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  if (major === null) return { state: 'absent', place: place.cluster }
  const state = await inspect(place)
  if (state.state === 'stopped') return { state: 'stopped', place: place.cluster, version: major.trim() }
  return { version: major.trim(), ...state, state: 'running', place: place.cluster }
}
