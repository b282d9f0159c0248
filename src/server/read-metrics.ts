import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { findFreeBytes } from '#src/disk/room'
import { type Family, gauge } from '#src/process/metrics'
import type { Services } from '#src/services'
import { familiesOfAll } from './process-metrics'

/** Reads all metrics. Without the database, those stored in it are missing and `nocturne_database_up` is 0. */
export async function readMetrics({ db, env }: Pick<Services, 'db' | 'env'>): Promise<Family[]> {
  const freeBytes = await findFreeBytes(env.dataDir)
  const { open, busy, connecting, waiting } = db.pool()
  return [
    ...(await familiesOfAll(env)),
    gauge('nocturne_database_pool_connections', 'Connections to the database, by state.', [
      [{ state: 'open' }, open],
      [{ state: 'busy' }, busy],
      [{ state: 'connecting' }, connecting],
    ]),
    gauge('nocturne_database_pool_waiting', 'Queries that wait for a connection.', waiting),
    ...replicaFamilies(db),
    ...(freeBytes === null
      ? []
      : [gauge('nocturne_disk_free_bytes', 'Room on the disk of DATA_DIR.', freeBytes)]),
    ...(await readDatabase(db).catch(() => [
      gauge('nocturne_database_up', 'Whether the database answers.', 0),
    ])),
  ]
}

/** Metrics of the replica, without samples if no replica is configured or its lag is unknown. */
function replicaFamilies({ replica }: Database): Family[] {
  const isReadable = replica?.watch.isReadable()
  const lagSeconds = replica?.watch.lagSeconds() ?? null
  return [
    gauge(
      'nocturne_replica_readable',
      'Whether lists and pages are read from the replica.',
      isReadable === undefined ? [] : Number(isReadable),
    ),
    gauge(
      'nocturne_replica_lag_seconds',
      'How far the replica is behind its primary.',
      lagSeconds === null || !Number.isFinite(lagSeconds) ? [] : lagSeconds,
    ),
  ]
}

async function readDatabase(db: Database): Promise<Family[]> {
  const [row] = await db.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  )
  const jobs = await db.execute<{ kind: string; state: string; count: number; seconds: number }>(sql`
    select kind, state, count(*)::int as count,
      coalesce(extract(epoch from now() - min(run_after) filter (where run_after < now())), 0)::float8 as seconds
    from jobs where state in ('queued', 'running') group by kind, state`)
  const waiting = jobs.filter(({ state }) => state === 'queued')
  return [
    gauge('nocturne_database_up', 'Whether the database answers.', 1),
    gauge('nocturne_database_bytes', 'Size of the database.', row?.bytes ?? 0),
    gauge(
      'nocturne_jobs',
      'Jobs that wait or run, by kind and state.',
      jobs.map(({ kind, state, count }) => [{ kind, state }, count]),
    ),
    gauge(
      'nocturne_jobs_queued',
      'Jobs that wait.',
      waiting.reduce((sum, { count }) => sum + count, 0),
    ),
    gauge(
      'nocturne_jobs_overdue_seconds',
      'How long the oldest job that is due has waited, by kind.',
      waiting.map(({ kind, seconds }) => [{ kind }, seconds]),
    ),
  ]
}
