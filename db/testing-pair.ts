import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findPlace } from '#db/embedded/place'
import { isAlive } from '#db/embedded/postmaster'
import { type Embedded, startEmbedded } from '#db/embedded/start'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { migrate } from './migrate'

export type Pair = {
  primary: Embedded
  standby: Embedded
  /** Crashes the servers that still run, and removes both. */
  remove(): Promise<void>
}

/** Starts a migrated primary and a standby that streams from it, both with these settings. */
export async function openPair(settings: Record<string, string>): Promise<Pair> {
  const [one, two] = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'nocturne-pair-'))))
  if (!one || !two) throw new Error('Two folders were made.')
  const start = (dataDir: string) => startEmbedded({ dataDir, settings, log: () => {} })
  const first = await start(one)
  await migrate(first.url)
  await first.stop()
  await copyAsStandby(first, two)
  const [primary, standby] = [await start(one), await start(two)]
  return {
    primary,
    standby,
    async remove() {
      await Promise.all([primary, standby].map(crash))
      await Promise.all([one, two].map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

async function copyAsStandby(primary: Embedded, dataDir: string): Promise<void> {
  const { cluster } = await findPlace(dataDir)
  await cp(primary.place, cluster, { recursive: true })
  await writeFile(join(cluster, 'standby.signal'), '')
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${socketsOf(primary)} port=5432 user=postgres'\n`,
  )
}

/** Returns the folder of a server's socket. */
export function socketsOf({ url, place }: Embedded): string {
  return new URL(url).searchParams.get('host') ?? dirname(place)
}

export async function asSuperuser(url: string, statement: string): Promise<void> {
  const address = new URL(url)
  address.username = 'postgres'
  const sql = connect(address.href, { max: 1 })
  await sql.unsafe(statement)
  await sql.end()
}

/** Crashes a server without notice to its clients. It is not restarted. */
export async function crash(embedded: Embedded): Promise<void> {
  const pid = Number.parseInt(
    await readFile(join(embedded.place, 'postmaster.pid'), 'utf8').catch(() => ''),
    10,
  )
  // From here on nothing restarts it.
  await embedded.stop()
  if (!pid || !isAlive(pid)) return
  process.kill(pid, 'SIGQUIT')
  await until(() => !isAlive(pid))
}
