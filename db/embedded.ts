import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinaries } from './embedded-binaries'
import { ensureCluster } from './embedded-cluster'
import { type Hold, isAlone, takeHold } from './embedded-hold'
import { withLock } from './embedded-lock'
import { addressUrl, baseFolder, findPlace, type Place } from './embedded-place'
import { findRunning, inspect, startPostmaster, stopPostmaster } from './embedded-postmaster'
import { prepareLaunch, type RootRules } from './embedded-root'

export interface Embedded {
  /** For openDatabase. It stays the same when the server has to be started again. */
  url: string
  /** Whether the server ran already: another process had started it, or one that was killed. */
  adopted: boolean
  /** The folder of the cluster. */
  place: string
  /**
   * Lets go of the server; close your databases before. The last one out stops it: while another process
   * uses it (the CLI beside the server, a psql), it stays.
   */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Takes a sentence for the operator. */
  log?: (message: string) => void
  /** Go to the server's command line, above postgresql.conf. */
  settings?: Record<string, string>
  /** How root, whom PostgreSQL refuses, runs it: see embedded-root.ts. */
  root?: RootRules
}

/**
 * Starts the PostgreSQL that belongs to `dataDir`, or adopts the one that runs there, and makes the
 * database `nocturne`. A server that dies is started again until `stop`. Several processes may do this
 * at once. Throws, naming DATABASE_URL, on a platform without binaries.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { lockFile } = await findPlace(options.dataDir)
  return withLock(lockFile, async () => {
    const { place, adopted } = await bringUp(options)
    const hold = takeHold(place, () => bringBack(place, options), options.log ?? console.error)
    await ensureDatabase(hold, place)
    let stopped: Promise<void> | undefined
    return {
      url: addressUrl(place, 'nocturne', 'nocturne'),
      adopted,
      place: place.cluster,
      stop: () => {
        stopped ??= letGo(place, hold)
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

/** A server that died is started again; a cluster that was taken away is not made again, empty, under a running program. */
async function bringBack(place: Place, options: EmbeddedOptions): Promise<void> {
  if (!existsSync(place.cluster))
    throw new Error(`${place.cluster} is gone. Put it back, or stop this program.`)
  await bringUp(options)
}

/** The program's role is no superuser: what works here works with any DATABASE_URL. */
async function ensureDatabase({ sql }: Hold, { address }: Place): Promise<void> {
  const roles = await sql`select from pg_roles where rolname = 'nocturne'`
  const password = 'password' in address ? `password '${address.password}'` : ''
  if (roles.length === 0) await sql.unsafe(`create role nocturne login ${password}`)
  const databases = await sql`select from pg_database where datname = 'nocturne'`
  if (databases.length === 0) await sql`create database nocturne owner nocturne`
}

/** Under the lock, so that nobody adopts the server between our looking around and our stopping it. */
async function letGo(place: Place, hold: Hold): Promise<void> {
  hold.isOver = true
  await withLock(place.lockFile, async () => {
    const isLast = (await inspect(place)).state === 'running' && (await isAlone(hold))
    await hold.sql.end({ timeout: 5 })
    if (isLast) await stopPostmaster(place)
  })
}

/** What stands at `dataDir`, for `doctor`; starts and makes nothing. */
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
  const standing = await inspect(place)
  if (standing.state === 'stopped') return { state: 'stopped', place: place.cluster, version: major.trim() }
  return { version: major.trim(), ...standing, state: 'running', place: place.cluster }
}
