import type { Sql } from 'postgres'
import { connect } from './db'
import { findBinaries, linkLibraries } from './embedded-binaries'
import { ensureCluster } from './embedded-cluster'
import { withLock } from './embedded-lock'
import { findPlace, type Place } from './embedded-place'
import { ensureRunning, socketUrl, stopPostmaster, superuserUrl } from './embedded-postmaster'

export interface Embedded {
  /** For openDatabase; stays the same while the program runs. */
  url: string
  /** Whether the server was running already: another process started it, or one that was killed. */
  adopted: boolean
  /** The folder of the cluster. */
  place: string
  /**
   * Lets go of the server; close your databases before. Whoever lets go last stops it: while another
   * process still uses it (the CLI beside the server, a psql), it goes on.
   */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that belongs to `dataDir`, or adopts the one that runs there already, and makes
 * its database. `log` takes a sentence for the operator. `settings` go to the server's command line.
 */
export async function startEmbedded(options: {
  dataDir: string
  log?: (message: string) => void
  settings?: Record<string, string>
}): Promise<Embedded> {
  const place = await findPlace(options.dataDir)
  return withLock(place.lockFile, async () => {
    const binaries = await findBinaries()
    await linkLibraries(binaries.native)
    await ensureCluster(place, binaries)
    const { adopted } = await ensureRunning(place, binaries, options.settings ?? {})
    const hold = takeHold(place)
    await ensureDatabase(hold)
    return {
      url: socketUrl(place, 'nocturne', 'nocturne'),
      adopted,
      place: place.cluster,
      stop: () => letGo(place, hold),
    }
  })
}

const holdName = 'nocturne hold'

/** One open connection for as long as we use the server: it tells the others that somebody does. */
function takeHold(place: Place): Sql {
  return connect(superuserUrl(place), {
    max: 1,
    max_lifetime: null,
    connection: { application_name: holdName },
  })
}

/** The program's role is no superuser: what works here works with any DATABASE_URL. */
async function ensureDatabase(sql: Sql): Promise<void> {
  const roles = await sql`select from pg_roles where rolname = 'nocturne'`
  if (roles.length === 0) await sql`create role nocturne login`
  const databases = await sql`select from pg_database where datname = 'nocturne'`
  if (databases.length === 0) await sql`create database nocturne owner nocturne`
}

/** Under the lock, so that nobody adopts the server between our looking and our stopping it. */
async function letGo(place: Place, hold: Sql): Promise<void> {
  await withLock(place.lockFile, async () => {
    const isUsed = await isUsedByOthers(hold)
    await hold.end({ timeout: 5 })
    if (!isUsed) await stopPostmaster(place)
  })
}

/** A connection closed a moment ago may still be listed: all but other holds get a second to go. */
async function isUsedByOthers(hold: Sql): Promise<boolean> {
  const deadline = Date.now() + 1000
  for (;;) {
    const others = await hold<{ application_name: string }[]>`
      select application_name from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`
    if (others.length === 0) return false
    if (others.some((other) => other.application_name === holdName) || Date.now() > deadline) return true
    await Bun.sleep(20)
  }
}
