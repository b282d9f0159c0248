import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { makeZip } from 'client-zip'
import type { TransactionSql } from 'postgres'
import type { Database } from '#db/db'
import { newestMigration } from '#db/migrate'
import type { AudioStorage } from '#src/narration/storage'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { keyIdOf } from '#src/sealed'
import type { Secrets } from '#src/secrets'
import { version } from '../../package.json'
import { type CatalogueTable, listSequences, listTables } from './catalogue'
import { copyOut } from './copy-rows'
import type { AudioInBackup, Manifest } from './manifest'
import { secretsOf } from './put-secrets'
import { readAudio } from './read-audio'
import {
  audioFileName,
  formatVersion,
  manifestName,
  secretsName,
  tableFileName,
  tablesLeftOut,
} from './rules'
import { openSnapshot } from './snapshot'
import { writeWhole } from './write-whole'

type BackupParts = {
  db: Database
  storage: AudioStorage
  secrets: Pick<Secrets, 'encryption' | 'session' | 'push'>
  /** Who stands in the audit log: whoever has the file has everything. */
  by: string
}

export type BackupOptions = {
  /** Write over a file that is there. */
  force?: boolean
  /** Only the list of the audio goes along: `withoutAudio`. */
  withoutAudio?: boolean
  withSecrets?: boolean
  onProgress?: (step: string, done: number, total: number) => void
}

export type BackupReport = { manifest: Manifest; sizeBytes: number }

type ArchiveFile = { name: string; input: string | AsyncIterable<Uint8Array>; lastModified: Date }

/**
 * Writes the whole library into one zip at `path`: every table as it was at one moment, the audio, and a
 * manifest of counts and hashes. Beside a running server; memory does not grow with the library. Throws
 * `already_exists` where there is such a file and `force` is not given.
 */
export async function backUp(
  parts: BackupParts,
  path: string,
  options: BackupOptions = {},
): Promise<BackupReport> {
  if (!options.force && (await Bun.file(path).exists()))
    throw new Refusal('already_exists', `${path} is there already. Name another file, or add --force.`)
  const manifest = startManifest(parts, options)
  const sizeBytes = await writeWhole(path, makeZip(listFiles(parts, manifest, options)))
  const { madeAt, hasSecrets } = manifest
  await recordChange(parts.db, parts.by, {
    action: 'backup',
    subjectType: 'library',
    after: { madeAt, hasSecrets, sizeBytes },
  })
  return { manifest, sizeBytes }
}

function startManifest({ secrets }: BackupParts, options: BackupOptions): Manifest {
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

/** The manifest comes last: it tells what the others turned out to hold. */
async function* listFiles(
  { db, storage, secrets }: BackupParts,
  manifest: Manifest,
  options: BackupOptions,
): AsyncGenerator<ArchiveFile> {
  const lastModified = new Date(manifest.madeAt)
  const file = (name: string, input: ArchiveFile['input']) => ({ name, input, lastModified })

  const snapshot = await openSnapshot(db.sql)
  try {
    manifest.migration = await newestMigration(snapshot.tx)
    if (manifest.migration.madeAtMs === 0)
      throw new Refusal('not_found', 'There is no library in this database yet, so nothing was written.')
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
  // Asked for within the snapshot: a migration beside it changes nothing that it sees.
  const tables = (await listTables(tx)).filter(({ name }) => !tablesLeftOut.includes(name))
  for (const [at, table] of tables.entries()) {
    const { chunks, counted } = copyOut(tx, table)
    yield { name: table.name, chunks: gzip(chunks) }
    manifest.tables.push({ name: table.name, columns: table.columns, ...counted(), ...partitionOf(table) })
    onProgress?.('tables', at + 1, tables.length)
  }
}

function partitionOf({ parent, bound }: CatalogueTable) {
  return parent !== null && bound !== null ? { partition: { of: parent, bound } } : {}
}

function gzip(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // A failure of either ends the other; it is thrown where the packed bytes are read.
  return pipeline(chunks, createGzip({ level: 5 }), () => {})
}

/** Every file that a row names: narrations, and imports that are being put together. */
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
