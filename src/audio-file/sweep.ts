import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { audioFiles, importDraftFiles } from '#db/schema'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import { stagedLeftSeconds } from '#src/storage/staging'
import { sweepWorkFolders } from '#src/storage/work-folder'

export type Swept = { temporary: number; rows: number; files: number; missing: number }

/**
 * Makes rows and files agree again after a crash: removes temporary files older than an hour, rows that no narration
 * names, and files that no row names. A row whose file is missing is logged, by its hash.
 */
export async function sweepAudio({
  db,
  storage,
  env,
  log,
}: Pick<Services, 'db' | 'storage' | 'env' | 'log'>): Promise<Swept> {
  const temporary = (await storage.sweepStaged()) + (await sweepWorkFolders(env.dataDir))
  const rows = await removeUnheardRows(db)
  const named = await db.select({ hash: audioFiles.hash, extension: audioFiles.extension }).from(audioFiles)
  const missing = new Map<string, AudioFile>(named.map((file) => [nameOf(file), file]))
  let files = 0
  for await (const file of storage.list()) {
    if (missing.delete(nameOf(file))) continue
    // A file is stored before its row is written: a recent one may be about to get it.
    if (Date.now() - file.modifiedAt.getTime() < stagedLeftSeconds * 1_000) continue
    if (await hasRow(db, file)) continue
    await storage.remove(file)
    files += 1
  }
  for (const file of missing.values()) log.error('audio is missing', { file: nameOf(file) })
  const swept = { temporary, rows, files, missing: missing.size }
  log.info('audio swept', swept)
  return swept
}

/**
 * Checked again right before the deletion: the same audio may have been uploaded since the rows were read, and an
 * open import draft retains its audio too.
 */
export async function hasRow(db: Database, { hash }: Pick<AudioFile, 'hash'>): Promise<boolean> {
  const [narrated, drafted] = await Promise.all([
    db.$count(audioFiles, eq(audioFiles.hash, hash)),
    db.$count(importDraftFiles, eq(importDraftFiles.hash, hash)),
  ])
  return narrated + drafted > 0
}

/** Undone or deleted narrations leave their audio behind, until this runs. */
async function removeUnheardRows(db: Database): Promise<number> {
  const removed = await db
    .delete(audioFiles)
    .where(
      sql`${audioFiles.createdAt} < now() - make_interval(secs => ${stagedLeftSeconds})
        and not exists (select 1 from narrations where audio_hash = ${audioFiles.hash})`,
    )
    .returning({ hash: audioFiles.hash })
  return removed.length
}

function nameOf({ hash, extension }: AudioFile): string {
  return `${hash}.${extension}`
}
