import { afterAll } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sql } from 'postgres'
import { connect, type Database, openDatabase } from './db'
import { type Embedded, startEmbedded } from './embedded'
import { findPlace } from './embedded-place'
import { inspect, isAlive, stopPostmaster } from './embedded-postmaster'
import { migrate } from './migrate'

/** One PostgreSQL for the whole run of `bun test`, which keeps every file in one process. */
interface Cluster {
  embedded: Embedded
  superuser: Sql
  dataDir: string
}

let cluster: Promise<Cluster> | undefined

/**
 * A fresh, migrated, empty database; it goes away after the file that asked for it. The first call of a
 * run starts the server, which takes seconds on a busy machine, later ones tens of milliseconds: ask at
 * the top of the file (`const db = await testDatabase()`), where no test's time limit runs.
 */
export async function testDatabase(): Promise<Database> {
  const db = openDatabase(await testDatabaseUrl(), { max: 5, applicationName: 'nocturne test' })
  afterAll(() => db.close())
  return db
}

/** The same as a URL, for a server started as a child with it as its DATABASE_URL. */
export async function testDatabaseUrl(): Promise<string> {
  return createDatabase('nocturne')
}

/** A database without a single table, for tests of the migrations themselves. */
export async function emptyDatabaseUrl(): Promise<string> {
  return createDatabase('template1')
}

async function createDatabase(template: string): Promise<string> {
  cluster ??= startCluster()
  const { embedded, superuser } = await cluster
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying the files takes 20 ms, writing the copy to the log (the default) 220 ms.
  await superuser.unsafe(`create database ${name} template ${template} owner nocturne strategy file_copy`)
  afterAll(async () => void (await superuser.unsafe(`drop database if exists ${name} with (force)`)))
  return urlFor(embedded, 'nocturne', name)
}

/** Stops the run's server and removes its folder; nothing happens where no test asked for a database. */
export async function stopTestCluster(): Promise<void> {
  const running = await cluster
  cluster = undefined
  if (!running) return
  await running.superuser.end()
  await running.embedded.stop()
  await removeFolders(running.dataDir, running.embedded.place)
}

async function startCluster(): Promise<Cluster> {
  await sweepLeftOvers()
  const dataDir = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const embedded = await startEmbedded({ dataDir, settings })
  stopOnSignal(dataDir, embedded.place)
  await migrate(embedded.url)
  return { embedded, dataDir, superuser: connect(urlFor(embedded, 'postgres', 'postgres'), { max: 2 }) }
}

const folderPrefix = 'nocturne-test-'

/** Durability is what a test run can do without; embedded.test.ts, which tests it, starts its own servers. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' }

/** A run that was killed could not clean up: the next one does it, as the folder's name says whose it was. */
async function sweepLeftOvers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(folderPrefix)
      ? Number.parseInt(name.slice(folderPrefix.length), 10)
      : Number.NaN
    if (Number.isNaN(pid) || isAlive(pid)) continue
    // Another user's, or one that another run sweeps at this moment: not ours to worry about.
    await sweep(join(tmpdir(), name)).catch(() => {})
  }
}

async function sweep(dataDir: string): Promise<void> {
  const place = await findPlace(dataDir)
  if ((await inspect(place)).state === 'running') await stopPostmaster(place)
  await removeFolders(dataDir, place.cluster)
}

/** The cluster stands outside of the data folder where root could not run it there. */
async function removeFolders(dataDir: string, place: string): Promise<void> {
  await rm(dirname(place), { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

/** Ctrl-C runs no afterAll. The server has nothing worth writing down, so it is told to drop everything. */
function stopOnSignal(dataDir: string, place: string): void {
  const stop = (status: number) => () => {
    process.kill(Number.parseInt(readFileSync(join(place, 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT')
    rmSync(dirname(place), { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
    process.exit(status)
  }
  process.once('SIGINT', stop(130))
  process.once('SIGTERM', stop(143))
}

function urlFor({ url }: Embedded, user: string, database: string): string {
  const changed = new URL(url)
  changed.username = user
  changed.pathname = `/${database}`
  return changed.href
}
