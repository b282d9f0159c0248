import { and, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { audioFiles, audioLeases } from '#db/schema'
import type { Services } from '#src/services'
import type { AudioFile, StoredAudio } from '#src/storage/audio-file'
import { stagedLeftSeconds } from '#src/storage/staging'
import { sweepWorkFolders } from '#src/storage/work-folder'
import { removeUnusedAudio } from './store'

type SweepServices = Pick<Services, 'db' | 'storage' | 'log'>
export type Swept = { rows: number; files: number; missing: number }
type SweepControl = { signal?: AbortSignal; progress?(share: number): void }

/** Removes what killed programs left on this machine more than an hour ago; returns how many files and folders. */
export async function sweepTemporary({ storage, env }: Pick<Services, 'storage' | 'env'>): Promise<number> {
  return (await storage.sweepStaged()) + (await sweepWorkFolders(env.dataDir))
}

/** The folders of stored audio: the first two characters of the hashes. */
const folders = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))

/**
 * Makes rows and files agree again after a crash: removes rows that no narration refers to, and files older than an
 * hour that nothing refers to. A row whose file is missing is logged, with its hash. Only the rows of one folder are in
 * memory at a time, even with many millions.
 */
export async function sweepAudio(services: SweepServices, control: SweepControl = {}): Promise<Swept> {
  const swept = { rows: 0, files: 0, missing: 0 }
  for (const [at, folder] of folders.entries()) {
    control.signal?.throwIfAborted()
    const found = await sweepFolder(services, folder)
    for (const key of ['rows', 'files', 'missing'] as const) swept[key] += found[key]
    control.progress?.((at + 1) / folders.length)
  }
  await services.db.delete(audioLeases).where(lt(audioLeases.leasedUntil, sql`now()`))
  services.log.info('audio swept', swept)
  return swept
}

async function sweepFolder(services: SweepServices, folder: string): Promise<Swept> {
  const swept = { rows: 0, files: 0, missing: 0 }
  const rows = await listRows(services.db, folder)
  for await (const file of services.storage.list(folder)) {
    const row = rows.get(nameOf(file))
    rows.delete(nameOf(file))
    if (row?.isHeard || isYoung(file) || !(await removeUnusedAudio(services, file))) continue
    swept.files += 1
    if (row) swept.rows += 1
  }
  for (const row of rows.values()) {
    if (row.isHeard) swept.missing += await countMissing(services, row)
    else if (await removeUnusedAudio(services, row)) swept.rows += 1
  }
  return swept
}

/** Young files are left alone: during a rolling update, instances of a version without leases store audio too. */
function isYoung({ modifiedAt }: StoredAudio): boolean {
  return Date.now() - modifiedAt.getTime() < stagedLeftSeconds * 1_000
}

/** Counts a file as missing unless it was stored, or its row removed, since the rows were read. */
async function countMissing({ db, storage, log }: SweepServices, file: AudioFile): Promise<0 | 1> {
  if (await storage.find(file)) return 0
  if ((await db.$count(audioFiles, sql`hash = ${file.hash}`)) === 0) return 0
  log.error('audio is missing', { file: nameOf(file) })
  return 1
}

async function listRows(
  db: Database,
  folder: string,
): Promise<Map<string, AudioFile & { isHeard: boolean }>> {
  const rows = await db
    .select({
      hash: audioFiles.hash,
      extension: audioFiles.extension,
      isHeard: sql<boolean>`exists (select 1 from narrations where audio_hash = audio_files.hash)`,
    })
    .from(audioFiles)
    // `g` is greater than any hexadecimal digit.
    .where(and(gte(audioFiles.hash, folder), lt(audioFiles.hash, `${folder}g`)))
  return new Map(rows.map((row) => [nameOf(row), row]))
}

function nameOf({ hash, extension }: AudioFile): string {
  return `${hash}.${extension}`
}
