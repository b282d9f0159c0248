import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { programPath } from './binaries'
import type { Place } from './place'
import { runProgram } from './programs'
import type { Launch } from './root'

/**
 * Settings for a small machine: server and database together stay below 180 MB. They are written into postgresql.conf
 * when the cluster is created, and the operator may change them there.
 */
const settings: Record<string, string> = {
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '512MB',
  max_wal_size: '256MB',
  // The programs are built without lz4 and zstd.
  wal_compression: 'pglz',
  jit: 'off',
  // One slow report must not use every core while others listen.
  max_parallel_workers_per_gather: '0',
  // These two settings save four processes: three I/O workers, PostgreSQL 18's default, and the logical replication
  // launcher.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The program receives the error of a rejected statement and logs it without user content.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/**
 * Creates the cluster unless it exists. If it is killed midway, nothing is left that could be mistaken for a cluster.
 */
export async function ensureCluster(launch: Launch): Promise<void> {
  const { place } = launch
  await removeHalfMade(place)
  if (existsSync(join(place.cluster, 'PG_VERSION'))) return refuseOtherVersion(launch)
  const half = `${place.cluster}.${process.pid}-${Date.now()}`
  await initialise(launch, half)
  await rename(half, place.cluster)
}

async function refuseOtherVersion({ place, binaries }: Launch): Promise<void> {
  const found = (await readFile(join(place.cluster, 'PG_VERSION'), 'utf8')).trim()
  const major = binaries.version.split('.')[0]
  if (found === major) return
  throw new AppError(
    'not_configured',
    `${place.cluster} was made by PostgreSQL ${found}, this is PostgreSQL ${major}. ` +
      'With the Nocturne that made it, run: nocturne backup library.zip. Then move the folder away, and run with this one: nocturne restore library.zip.',
  )
}

async function removeHalfMade(place: Place): Promise<void> {
  for (const name of await readdir(place.home)) {
    if (name.startsWith('cluster.')) await rm(join(place.home, name), { recursive: true, force: true })
  }
}

async function initialise(launch: Launch, folder: string): Promise<void> {
  const { place, runAs, binaries } = launch
  const outputFile = join(place.base, 'initdb.log')
  const output = openSync(outputFile, 'w', 0o600)
  const passwordFile = await writePassword(place)
  const flags = ['-D', folder, ...initFlags, ...(passwordFile ? [`--pwfile=${passwordFile}`] : [])]
  const initdb = runProgram(runAs, programPath(binaries, 'initdb'), flags, output)
  closeSync(output)
  const status = await initdb.exited
  if (passwordFile) await rm(passwordFile)
  if (status !== 0) {
    throw new AppError(
      'not_configured',
      `PostgreSQL could not make its cluster in ${place.home}:\n${await readFile(outputFile, 'utf8')}`,
    )
  }
  await rm(outputFile)
}

async function writePassword({ base, address }: Place): Promise<string | null> {
  if (!('password' in address)) return null
  const file = join(base, 'password')
  await writeFile(file, address.password, { mode: 0o600 })
  return file
}

/**
 * The built-in locale is the same on every system and version. Only Linux has an equivalent for the other categories.
 */
const localeFlags: Record<string, string[]> = {
  linux: ['--locale=C.UTF-8'],
  darwin: ['--locale=C', '--builtin-locale=C.UTF-8', '--lc-ctype=en_US.UTF-8'],
  win32: ['--locale=C', '--builtin-locale=C.UTF-8'],
}

const initFlags = [
  '--username=postgres',
  // Only the server's own user can open the folder of the socket.
  '--auth-local=trust',
  '--auth-host=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  ...(localeFlags[process.platform] ?? []),
  '--no-instructions',
  ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
]
