import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#db/connect'
import { type Database, openDatabase } from '#db/db'
import { asSuperuser, openPair, type Pair, socketsOf } from '#db/testing-pair'
import { openPgBouncer, type Pooler } from '#db/testing-pooler'
import { freePort } from '#scripts/bench/servers'
import { until } from '#src/testing/until'
import { killServer } from '../kills'
import { type Program, startProgram } from '../program'
import { startBalancer } from './balancer'
import { type OwnProcess, startOwnProcess } from './own-process'

/** Three instances behind HAProxy, PgBouncer in front of a primary with a synchronous standby, and an S3 server. */
export type Cluster = {
  origin: string
  instances: readonly Program[]
  pooler: Pooler
  /** The S3 server. While paused, it accepts connections and answers nothing. */
  store: Record<'pause' | 'resume', () => void>
  /** A connection that bypasses HAProxy's check and PgBouncer, to whichever server accepts writes. */
  db: Database
  /** Kills the primary and promotes the standby, as Patroni does. Only once, because there is no standby afterwards. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

/** How long an instance answers /readyz with 503 before it ends, so that HAProxy notices. */
const drainSeconds = 2

export async function openCluster(): Promise<Cluster> {
  const started = new AsyncDisposableStack()
  try {
    return await start(started)
  } catch (error) {
    await started.disposeAsync()
    throw error
  }
}

/** Starts the cluster. Everything is added to `started` as soon as it runs, which stops it in reverse order. */
async function start(started: AsyncDisposableStack): Promise<Cluster> {
  const pair = started.adopt(await openPair({ max_connections: '150' }), (each) => each.remove())
  await waitForStandby(pair)
  const store = started.adopt(await startOwnProcess('store-main'), stop)
  const voices = started.adopt(await startOwnProcess('voices-main'), stop)
  const guards: OwnProcess[] = []
  for (const { url } of [pair.primary, pair.standby])
    guards.push(started.adopt(await startOwnProcess('guard-main', [url]), stop))
  const databasePort = freePort()
  const pooler = started.adopt(
    await openPgBouncer(`postgres://nocturne@127.0.0.1:${databasePort}/nocturne`, poolerSettings),
    stop,
  )
  const directPorts = [freePort(), freePort()]
  const directUrl = `postgres://nocturne@127.0.0.1:${directPorts.join(',127.0.0.1:')}/nocturne`
  const httpPort = freePort()
  const ports = [freePort(), freePort(), freePort()]
  const databases = [pair.primary, pair.standby].map((each, at) => ({
    socket: join(socketsOf(each), '.s.PGSQL.5432'),
    guardPort: Number(guards[at]?.said.port),
  }))
  const balanced = { httpPort, databasePort, directPorts, instances: ports, databases }
  started.adopt(await startBalancer(balanced), stop)
  const instances = await startInstances(started, ports, {
    ...store.said,
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: directUrl,
    DRAIN_SECONDS: String(drainSeconds),
    VOICE_ORDER: 'elevenlabs',
    ELEVENLABS_API_KEY: 'a key for the torture',
    ELEVENLABS_BASE_URL: voices.said.url ?? '',
  })
  const db = started.adopt(openDatabase(directUrl, { max: 3, applicationName: 'torture' }), (each) =>
    each.close(),
  )
  return {
    origin: `http://127.0.0.1:${httpPort}`,
    instances,
    pooler,
    store: { pause: () => store.signal('SIGSTOP'), resume: () => store.signal('SIGCONT') },
    db,
    async failOver() {
      await killServer(pair.primary)
      await asSuperuser(pair.standby.url, 'select pg_promote()')
    },
    stop: () => started.disposeAsync(),
  }
}

/** The settings of docs/deploy/pgbouncer.ini, scaled to this machine. */
const poolerSettings = { default_pool_size: '20', max_client_conn: '500', server_login_retry: '1' }

const stop = (each: { stop(): Promise<void> }) => each.stop()

/** Makes commits wait for the standby, so that acknowledged data is on both servers. */
async function waitForStandby({ primary }: Pair): Promise<void> {
  await asSuperuser(primary.url, "alter system set synchronous_standby_names = '*'")
  await asSuperuser(primary.url, 'select pg_reload_conf()')
  const sql = connect(primary.url, { max: 1, username: 'postgres' })
  await until(async () => (await sql`select from pg_stat_replication where sync_state = 'sync'`).length === 1)
  await sql.end()
}

/**
 * Starts the instances. The first creates the secrets, and the others get copies, as docs/deploy/several-machines.md
 * says.
 */
async function startInstances(
  started: AsyncDisposableStack,
  ports: readonly number[],
  environment: Record<string, string>,
): Promise<Program[]> {
  const folder = started.adopt(await mkdtemp(join(tmpdir(), 'nocturne-cluster-run-')), (each) =>
    rm(each, { recursive: true, force: true }),
  )
  const instances: Program[] = []
  for (const [at, port] of ports.entries()) {
    const dataDir = join(folder, String(at))
    if (at > 0)
      for (const name of ['session-secret', 'encryption-key', 'push-key'])
        await cp(join(folder, '0', name), join(dataDir, name))
    instances.push(started.adopt(await startProgram({ dataDir, port, environment }), (each) => each.remove()))
  }
  return instances
}
