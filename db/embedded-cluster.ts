import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, programPath } from './embedded-binaries'
import type { Place } from './embedded-place'
import { run } from './embedded-postmaster'

/**
 * For a small machine: server and database together stay below 250 MB. They are written into the
 * cluster's postgresql.conf when it is made, where the operator may change them.
 */
const settings: Record<string, string> = {
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '512MB',
  max_wal_size: '256MB',
  wal_compression: 'on',
  jit: 'off',
  // One slow report must not take every core from those who listen.
  max_parallel_workers_per_gather: '0',
  // Three processes fewer than PostgreSQL 18's own choice.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are answered to the program, which logs them without what people wrote.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Makes the cluster unless it is there. A kill in the middle leaves nothing that looks like one. */
export async function ensureCluster(place: Place, binaries: Binaries): Promise<void> {
  if (existsSync(join(place.cluster, 'PG_VERSION'))) return checkVersion(place, binaries)
  await removeHalfMade(place)
  const half = `${place.cluster}.${process.pid}-${Date.now()}`
  const outputFile = join(place.home, 'initdb.log')
  const output = openSync(outputFile, 'w', 0o600)
  const initdb = run(place.runAs, [programPath(binaries, 'initdb'), ...initFlags(half)], output)
  closeSync(output)
  if ((await initdb.exited) !== 0) {
    throw new Error(
      `PostgreSQL could not make its cluster in ${place.home}:\n${await readFile(outputFile, 'utf8')}`,
    )
  }
  await rename(half, place.cluster)
  await rm(outputFile)
}

async function checkVersion(place: Place, binaries: Binaries): Promise<void> {
  const found = (await readFile(join(place.cluster, 'PG_VERSION'), 'utf8')).trim()
  const major = binaries.version.split('.')[0]
  if (found === major) return
  throw new Error(
    `${place.cluster} was made by PostgreSQL ${found}, this is PostgreSQL ${major}. ` +
      'Make a backup with the version that made it, move the folder away, and restore.',
  )
}

async function removeHalfMade(place: Place): Promise<void> {
  for (const name of await readdir(place.home)) {
    if (name.startsWith('cluster.')) await rm(join(place.home, name), { recursive: true, force: true })
  }
}

function initFlags(folder: string): string[] {
  return [
    ...['-D', folder, '--username=postgres', '--auth-local=trust', '--auth-host=scram-sha-256'],
    ...['--locale=C.UTF-8', '--encoding=UTF8', '--no-instructions'],
    ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ]
}
