import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { makeZip } from 'client-zip'
import type { TransactionSql } from 'postgres'
import type { Database } from '#db/db'
import { newestMigration } from '#db/migrate'
import { AppError } from '#src/app-error'
import { requireRoom } from '#src/disk/room'
import { audioBytesMax } from '#src/narration/rules'
import { recordChange } from '#src/operator/audit'
import { keyIdOf } from '#src/security/encryption'
import type { Secrets } from '#src/security/secrets'
import type { AudioStorage } from '#src/storage/storage'
import { writeWhole } from '#src/storage/whole-file'
import { version } from '../../package.json'
import { type CatalogueTable, listSequences, listTables } from './catalogue'
import { copyOut } from './copy-rows'
import type { AudioInBackup, Manifest } from './manifest'
import { readAudio } from './read-audio'
import {
  audioFileName,
  formatVersion,
  manifestName,
  secretsName,
  tableFileName,
  tablesLeftOut,
} from './rules'
import { secretsOf } from './secrets'
import { openSnapshot } from './snapshot'

type BackupServices = {
  db: Database
  storage: AudioStorage
  secrets: Pick<Secrets, 'encryption' | 'session' | 'push'>
  /** The operator's name in the audit log. Backups are recorded, since they contain everything. */
  by: string
}

export type BackupOptions = {
  /** Overwrites an existing file. */
  force?: boolean
  /** Includes the list of the audio but not its files: `withoutAudio`. */
  withoutAudio?: boolean
  withSecrets?: boolean
  onProgress?: (step: string, done: number, total: number) => void
  /** Ends the backup and removes its file. Once the file has its final name, the backup is completed instead. */
  stop?: AbortSignal
}

export type BackupReport = { manifest: Manifest; sizeBytes: number }

type ArchiveFile = { name: string; input: string | AsyncIterable<Uint8Array>; lastModified: Date }

/**
 * Writes the whole library into one zip at `path`: every table as of one snapshot, the audio, and a manifest of counts
 * and hashes. Can run beside a server; its memory does not grow with the library. Throws `already_exists` if the file
 * exists and `force` is not given, `invalid` if the path is a folder or a device, and `unavailable` if the disk has no
 * room even for the audio.
 */
export async function backUp(
  services: BackupServices,
  path: string,
  options: BackupOptions = {},
): Promise<BackupReport> {
  await requireFree(path, options)
  const manifest = startManifest(services, options)
  const needRoom = (bytes: number) => requireRoom(dirname(resolve(path)), bytes)
  const sizeBytes = await writeWhole(path, makeZip(listFiles(services, manifest, options, needRoom)), {
    stop: options.stop,
  })
  const { madeAt, hasSecrets } = manifest
  await recordChange(services.db, services.by, {
    action: 'backup',
    subjectType: 'library',
    after: { madeAt, hasSecrets, sizeBytes },
  })
  return { manifest, sizeBytes }
}

/** Throws for an existing file, a folder or a device: the final rename would replace whatever has the name. */
async function requireFree(path: string, { force = false }: BackupOptions): Promise<void> {
  const present = await stat(path).catch(() => null)
  if (!present) return
  if (!present.isFile())
    throw new AppError(
      'invalid',
      `${path} is a folder or a device, not a file. Name a file, such as library.zip.`,
    )
  if (!force)
    throw new AppError('already_exists', `${path} is there already. Name another file, or add --force.`)
}

function startManifest({ secrets }: BackupServices, options: BackupOptions): Manifest {
  return {
    format: formatVersion,
    program: version,
    madeAt: new Date().toISOString(),
    migration: { name: '', madeAtMs: 0 },
    tables: [],
    leftOut: tablesLeftOut,
    sequences: [],
    audio: [],
    keyId: keyIdOf(secrets.encryption),
    hasSecrets: options.withSecrets ?? false,
  }
}

/** The manifest comes last: it holds the counts and hashes of the other files. */
async function* listFiles(
  { db, storage, secrets }: BackupServices,
  manifest: Manifest,
  options: BackupOptions,
  needRoom: (bytes: number) => Promise<void>,
): AsyncGenerator<ArchiveFile> {
  const lastModified = new Date(manifest.madeAt)
  const file = (name: string, input: ArchiveFile['input']) => ({ name, input, lastModified })

  const snapshot = await openSnapshot(db.sql, options.stop)
  try {
    manifest.migration = await newestMigration(snapshot.tx)
    if (manifest.migration.madeAtMs === 0)
      throw new AppError('not_found', 'There is no library in this database yet, so nothing was written.')
    const [stored] = await snapshot.tx<{ bytes: number }[]>`
      select coalesce(sum(least(size_bytes, ${audioBytesMax})), 0)::float8 as bytes from audio_files`
    await needRoom(options.withoutAudio ? 0 : (stored?.bytes ?? 0))
    for await (const { name, chunks } of readTables(snapshot.tx, manifest, options))
      yield file(tableFileName(name), chunks)
    manifest.sequences = await listSequences(snapshot.tx)
    manifest.audio = await listAudio(snapshot.tx, manifest)
  } finally {
    await snapshot.close()
  }
  for await (const { audio, chunks } of readAudio(storage, manifest, options))
    yield file(audioFileName(audio), chunks)
  if (options.withSecrets) yield file(secretsName, JSON.stringify(secretsOf(secrets)))
  yield file(manifestName, JSON.stringify(manifest, null, 1))
}

async function* readTables(
  tx: TransactionSql,
  manifest: Manifest,
  { onProgress }: BackupOptions,
): AsyncGenerator<{ name: string; chunks: AsyncIterable<Uint8Array> }> {
  // Read within the snapshot: a concurrent migration does not affect it.
  const tables = (await listTables(tx)).filter(({ name }) => !tablesLeftOut.includes(name))
  await retainPartitions(tx, tables)
  for (const [at, table] of tables.entries()) {
    const { chunks, counted } = copyOut(tx, table)
    yield { name: table.name, chunks: gzip(chunks) }
    manifest.tables.push({ name: table.name, columns: table.columns, ...counted(), ...partitionOf(table) })
    onProgress?.('tables', at + 1, tables.length)
  }
}

/** Locks the partitions against DROP until the tables are read: the server drops those past their retention. */
async function retainPartitions(tx: TransactionSql, tables: readonly CatalogueTable[]): Promise<void> {
  const partitions = tables.flatMap(({ sql, parent }) => (parent === null ? [] : [sql]))
  if (partitions.length > 0) await tx.unsafe(`lock table ${partitions.join(', ')} in access share mode`)
}

function partitionOf({ parent, bound }: CatalogueTable) {
  return parent !== null && bound !== null ? { partition: { of: parent, bound } } : {}
}

function gzip(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // If either stream fails, the other one ends too; the reader of the compressed bytes gets the error.
  return pipeline(chunks, createGzip({ level: 5 }), () => {})
}

/** Lists every file that a row refers to: of narrations, and of import drafts. */
async function listAudio(tx: TransactionSql, { tables }: Manifest): Promise<AudioInBackup[]> {
  const narrated = await tx<AudioInBackup[]>`
    select hash, extension, size_bytes::float8 as "sizeBytes", 'left-out' as state from audio_files`
  // A library of an older version may not have the table yet.
  const drafted = tables.some(({ name }) => name === 'import_draft_files')
    ? await tx<AudioInBackup[]>`
        select hash, extension, size_bytes::float8 as "sizeBytes", 'left-out' as state
        from import_draft_files where hash is not null and state = 'here'`
    : []
  return [...new Map([...drafted, ...narrated].map((audio) => [audio.hash, audio])).values()]
}
