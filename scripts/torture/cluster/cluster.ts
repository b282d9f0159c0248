import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#db/connect'
import { type Database, openDatabase } from '#db/db'
import type { Embedded } from '#db/embedded/start'
import { asSuperuser, openPair, type Pair, socketsOf } from '#db/testing-pair'
import { openPgBouncer, type Pooler } from '#db/testing-pooler'
import { freePort } from '#scripts/bench/servers'
import { elevenLabsAnswer, standIn } from '#src/narration/voice/testing-provider'
import { until } from '#src/testing/until'
import { killServer } from '../kills'
import { type Program, startProgram } from '../program'
import { startBalancer } from './balancer'
import { type Store, startStore } from './store'

/** Three instances behind HAProxy, PgBouncer before a primary with a synchronous standby, and an S3 server. */
export type Cluster = {
  origin: string
  instances: readonly Program[]
  pooler: Pooler
  store: Store
  /** Past HAProxy's check and PgBouncer: whichever server can be written to. */
  db: Database
  /** Kills the primary and promotes the standby, as Patroni does. Once: nobody stands by afterwards. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

/** An instance answers /readyz with 503 so long before it ends, for HAProxy to see. */
const drainSeconds = 2

export async function openCluster(): Promise<Cluster> {
  const pair = await openPair({ max_connections: '150' })
  await waitForStandby(pair)
  const store = await startStore()
  const voices = standIn(({ body }) => elevenLabsAnswer(String(body.text ?? '')))
  const guards = [pair.primary, pair.standby].map(guard)
  const databasePort = freePort()
  const pooler = await openPgBouncer(`postgres://nocturne@127.0.0.1:${databasePort}/nocturne`, {
    default_pool_size: '20',
    max_client_conn: '500',
    server_login_retry: '1',
  })
  const directPorts = [freePort(), freePort()]
  const directUrl = `postgres://nocturne@127.0.0.1:${directPorts.join(',127.0.0.1:')}/nocturne`
  const httpPort = freePort()
  const ports = [freePort(), freePort(), freePort()]
  const balancer = await startBalancer({
    httpPort,
    databasePort,
    directPorts,
    instances: ports,
    databases: guards.map(({ socket, port }) => ({ socket, guardPort: port })),
  })
  const folder = await mkdtemp(join(tmpdir(), 'nocturne-cluster-run-'))
  const instances = await startInstances(folder, ports, {
    ...store.environment,
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: directUrl,
    DRAIN_SECONDS: String(drainSeconds),
    VOICE_ORDER: 'elevenlabs',
    ELEVENLABS_API_KEY: 'a key for the torture',
    ELEVENLABS_BASE_URL: voices.url,
  })
  const db = openDatabase(directUrl, { max: 3, applicationName: 'torture' })
  return {
    origin: `http://127.0.0.1:${httpPort}`,
    instances,
    pooler,
    store,
    db,
    async failOver() {
      await killServer(pair.primary)
      await asSuperuser(pair.standby.url, 'select pg_promote()')
    },
    async stop() {
      await Promise.all(instances.map((each) => each.kill()))
      await db.close()
      await Promise.all([balancer.stop(), pooler.stop(), store.stop(), voices.stop()])
      for (const each of guards) await each.stop()
      await pair.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Commits wait for the standby from here on: what is acknowledged is on both. */
async function waitForStandby({ primary }: Pair): Promise<void> {
  await asSuperuser(primary.url, "alter system set synchronous_standby_names = '*'")
  await asSuperuser(primary.url, 'select pg_reload_conf()')
  const sql = connect(primary.url, { max: 1, username: 'postgres' })
  await until(async () => (await sql`select from pg_stat_replication where sync_state = 'sync'`).length === 1)
  await sql.end()
}

/** Says at a port of its own whether a server is the primary, as Patroni beside it would. */
function guard(embedded: Embedded): { socket: string; port: number; stop(): Promise<void> } {
  const sql = connect(embedded.url, { max: 1, connect_timeout: 1 })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      const [row] = await sql`select pg_is_in_recovery() as "isStandby"`.catch(() => [])
      return new Response(null, { status: row?.isStandby === false ? 200 : 503 })
    },
  })
  return {
    socket: join(socketsOf(embedded), '.s.PGSQL.5432'),
    port: server.port ?? 0,
    async stop() {
      await server.stop(true)
      await sql.end({ timeout: 1 })
    },
  }
}

/** The first makes the secrets, which the others get copies of, as docs/deploy/several-machines.md says. */
async function startInstances(
  folder: string,
  ports: readonly number[],
  environment: Record<string, string>,
): Promise<Program[]> {
  const start = (at: number) =>
    startProgram({ dataDir: join(folder, String(at)), port: ports[at], environment })
  const first = await start(0)
  for (const at of [1, 2])
    for (const name of ['session-secret', 'encryption-key', 'push-key'])
      await cp(join(folder, '0', name), join(folder, String(at), name))
  return [first, ...(await Promise.all([start(1), start(2)]))]
}
