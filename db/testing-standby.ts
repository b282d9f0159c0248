import { afterAll } from 'bun:test'
import { once } from 'node:events'
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findPlace } from '#db/embedded/place'
import { isAlive } from '#db/embedded/postmaster'
import { type Embedded, startEmbedded } from '#db/embedded/start'
import { until } from '#src/testing/until'
import { connect } from './connect'
import { migrate } from './migrate'

type Server = { url: string; port: number; crash(): Promise<void> }

/** A migrated primary and a standby that streams from it, each at a port of this machine, until the test file ends. */
export async function startPair(): Promise<{
  primary: Server
  standby: Server & Record<'promote' | 'pause' | 'resume', () => Promise<void>>
}> {
  const [one, two] = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'nocturne-pair-'))))
  if (!one || !two) throw new Error('Two folders were made.')
  const first = await startEmbedded({ dataDir: one, settings, log: () => {} })
  await migrate(first.url)
  await first.stop()
  await copyAsStandby(first, two)
  const [primary, standby] = [await startServer(one), await startServer(two)]
  afterAll(async () => {
    await Promise.all([primary.crash(), standby.crash()])
    await Promise.all([one, two].map((folder) => rm(folder, { recursive: true, force: true })))
  })
  return {
    primary,
    standby: {
      ...standby,
      promote: () => asSuperuser(standby.url, 'select pg_promote()'),
      // What the primary has written meanwhile arrives, and is not replayed.
      pause: () => asSuperuser(standby.url, 'select pg_wal_replay_pause()'),
      resume: () => asSuperuser(standby.url, 'select pg_wal_replay_resume()'),
    },
  }
}

const settings = { fsync: 'off' }

async function startServer(dataDir: string): Promise<Server> {
  const embedded = await startEmbedded({ dataDir, settings, log: () => {} })
  return { url: embedded.url, port: await tunnelTo(embedded.url), crash: () => crash(embedded) }
}

async function copyAsStandby(primary: Embedded, dataDir: string): Promise<void> {
  const { cluster } = await findPlace(dataDir)
  await cp(primary.place, cluster, { recursive: true })
  await writeFile(join(cluster, 'standby.signal'), '')
  const sockets = new URL(primary.url).searchParams.get('host') ?? dirname(primary.place)
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${sockets} port=5432 user=postgres'\n`,
  )
}

async function asSuperuser(url: string, statement: string): Promise<void> {
  const address = new URL(url)
  address.username = 'postgres'
  const sql = connect(address.href, { max: 1 })
  await sql.unsafe(statement)
  await sql.end()
}

/** At once, without a word to its clients; it stays down. */
async function crash(embedded: Embedded): Promise<void> {
  const pid = Number.parseInt(
    await readFile(join(embedded.place, 'postmaster.pid'), 'utf8').catch(() => ''),
    10,
  )
  // Nobody starts it again after this.
  await embedded.stop()
  if (!pid || !isAlive(pid)) return
  process.kill(pid, 'SIGQUIT')
  await until(() => !isAlive(pid))
}

/** The servers listen at sockets alone: a port leads to one. */
export async function tunnelTo(url: string): Promise<number> {
  return (await openTunnel(url)).port
}

/** The same; `freeze` has the other end of every connection vanish without a word, but not that of later ones. */
export async function openTunnel(url: string): Promise<{ port: number; freeze(): void }> {
  const sockets = new Set<Socket>()
  const path = `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`
  const server = createServer((client) => {
    const upstream = createConnection(path)
    client.pipe(upstream).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}
