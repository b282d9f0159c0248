import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findPlace } from '#db/embedded/place'
import { inspect, stopPostmaster } from '#db/embedded/postmaster'
import { type Embedded, startEmbedded } from '#db/embedded/start'
import { migrate } from './migrate'
import { listLeftOvers } from './testing-places'

/** A PostgreSQL server for tests. Its database `nocturne` is migrated and empty, to be used as a template. */
export interface TestCluster {
  /** The superuser's address. */
  url: string
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server for tests, and removes servers that killed runs have left behind. It takes seconds, so
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

/**
 * No other temporary folder of a test may begin with this, because a random name that begins with a digit would look
 * like a process id.
 */
const folderPrefix = 'nocturne-cluster-'

/**
 * Test data need not be durable; embedded.test.ts, which tests durability, starts its own servers. Autovacuum is off,
 * so that no vacuum runs and no statistics change in the middle of a test.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '200',
}

/** Removes servers of killed runs, which could not clean up. The folder's name contains the owner's process id. */
async function sweepLeftOvers(): Promise<void> {
  // A folder of another user, or one that another run is removing at this moment, is no error.
  for (const folder of listLeftOvers(folderPrefix)) await sweep(folder).catch(() => {})
}

async function sweep(dataDir: string): Promise<void> {
  const place = await findPlace(dataDir)
  if ((await inspect(place)).state === 'running') await stopPostmaster(place)
  await removeFolders(dataDir, place.cluster)
}

/** Removes the folders of a server. The cluster is outside of the data folder if root could not run it there. */
async function removeFolders(dataDir: string, place: string): Promise<void> {
  await rm(dirname(place), { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

/**
 * Stops the server on a signal, because Ctrl-C runs no afterAll. Its data is disposable, so it is shut down
 * immediately.
 */
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
