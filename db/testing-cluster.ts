import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findPlace } from '#db/embedded/place'
import { inspect, stopPostmaster } from '#db/embedded/postmaster'
import { type Embedded, startEmbedded } from '#db/embedded/start'
import { migrate } from './migrate'
import { listLeftOvers } from './testing-places'

/** A PostgreSQL server for tests; its database `nocturne` is migrated and empty, to be used as a template. */
export interface TestCluster {
  /** The superuser's address. */
  url: string
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server for tests, and removes those that killed runs left behind. It takes seconds, so
 * `scripts/test.ts` starts one for the whole run.
 */
export async function startTestCluster(): Promise<TestCluster> {
  await sweepLeftOvers()
  const dataDir = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const embedded = await startEmbedded({ dataDir, settings })
  stopOnSignal(dataDir, embedded.place)
  await migrate(embedded.url)
  return {
    url: superuserUrl(embedded),
    async stop() {
      await embedded.stop()
      await removeFolders(dataDir, embedded.place)
    },
  }
}

/** No other folder of a test begins so: a random name that begins with a digit would look like a process id. */
const folderPrefix = 'nocturne-cluster-'

/**
 * Test data need not be durable; embedded.test.ts, which tests durability, starts its own servers. No vacuum runs,
 * and no statistics change, in the middle of a test.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '200',
}

/** A killed run could not clean up: the next one does, and finds the owner's process id in the folder's name. */
async function sweepLeftOvers(): Promise<void> {
  // Owned by another user, or swept by another run at this moment: not an error.
  for (const folder of listLeftOvers(folderPrefix)) await sweep(folder).catch(() => {})
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

/** Ctrl-C runs no afterAll. The server's data is disposable, so it is shut down immediately. */
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

function superuserUrl({ url }: Embedded): string {
  const changed = new URL(url)
  changed.username = 'postgres'
  changed.pathname = '/postgres'
  return changed.href
}
