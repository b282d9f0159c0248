import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { audioFiles, importDraftFiles, importDrafts } from '#db/schema'
import { AppError } from '#src/app-error'
import { endAudioLease, storeAudio } from '#src/audio-file/store'
import { type CheckedFile, checkFile } from '#src/import/check-file'
import { audioFilesMax, draftBytesMax } from '#src/import/rules'
import type { AudioExtension } from '#src/narration/rules'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import type { StagedFile } from '#src/storage/staging'
import { lockOpenDraft } from './change'
import { shownFile } from './find'
import type { AnnouncedFile, DraftFile } from './schema'

/**
 * Announces the files that will be sent. A file whose hash the server knows counts as sent; a file that the draft has
 * stays; a file that is no longer named is no longer expected. Throws `not_found`, `conflict` and `too_large`.
 */
export async function announceFiles(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  id: string,
  owner: string,
  files: readonly AnnouncedFile[],
): Promise<void> {
  const known = await findKnown({ db, storage }, files, owner)
  await db.transaction(async (tx) => {
    await lockOpenDraft(tx, id, owner)
    const names = files.map(({ fileName }) => fileName)
    await tx
      .delete(importDraftFiles)
      .where(
        and(
          eq(importDraftFiles.draftId, id),
          eq(importDraftFiles.state, 'waiting'),
          names.length > 0 ? notInArray(importDraftFiles.fileName, names) : undefined,
        ),
      )
    const before = await tx
      .select({ fileName: importDraftFiles.fileName, hash: importDraftFiles.hash })
      .from(importDraftFiles)
      .where(eq(importDraftFiles.draftId, id))
    const hashes = new Map(before.map((file) => [file.fileName, file.hash]))
    for (const file of files) {
      if (file.hash !== undefined && hashes.get(file.fileName) === file.hash) continue
      const audio = file.hash === undefined ? undefined : known.get(file.hash)
      const isKnown = audio !== undefined && file.fileName.toLowerCase().endsWith(`.${audio.extension}`)
      await putFile(tx, id, {
        ...nothing,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        hash: file.hash ?? null,
        state: isKnown ? 'here' : 'waiting',
        ...(isKnown && audio),
      })
    }
    await limitFiles(tx, id)
  })
}

/**
 * Stores a sent file: audio is checked frame by frame, timings are parsed. An unusable file is recorded as refused with
 * the reason, and never stored. The staged file is removed either way.
 */
export async function addFile(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  id: string,
  owner: string,
  { staged, fileName }: { staged: StagedFile; fileName: string },
): Promise<DraftFile> {
  try {
    const checked = await checkFile(staged, fileName)
    if (checked.kind === 'audio') await storeAudio({ db, storage }, staged, checked.audio.extension)
    return await db.transaction(async (tx) => {
      await lockOpenDraft(tx, id, owner)
      const { hash, sizeBytes } = staged
      const file = await putFile(tx, id, { ...nothing, fileName, hash, sizeBytes, ...columnsOf(checked) })
      await endAudioLease(tx, staged)
      await limitFiles(tx, id)
      return file
    })
  } finally {
    await storage.discard(staged)
  }
}

/** Removes a file from the draft. Throws `not_found` and `conflict`. */
export async function removeFile(db: Database, id: string, owner: string, fileId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOpenDraft(tx, id, owner)
    const removed = isId(fileId)
      ? await tx
          .delete(importDraftFiles)
          .where(and(eq(importDraftFiles.id, fileId), eq(importDraftFiles.draftId, id)))
          .returning({ id: importDraftFiles.id })
      : []
    if (removed.length === 0) throw new AppError('not_found', 'This file no longer exists.')
  })
}

type FileColumns = Omit<typeof importDraftFiles.$inferInsert, 'id' | 'draftId'>

const nothing = { extension: null, durationSeconds: null, heard: null, problem: null, warnings: [] }

async function putFile(tx: Executor, draftId: string, file: FileColumns): Promise<DraftFile> {
  const [put] = await tx
    .insert(importDraftFiles)
    .values({ id: newId(), draftId, ...file })
    .onConflictDoUpdate({ target: [importDraftFiles.draftId, importDraftFiles.fileName], set: file })
    .returning(shownFile)
  if (!put) throw new Error('The insert answered no row.')
  return put
}

function columnsOf(file: CheckedFile): Partial<FileColumns> & Pick<FileColumns, 'state'> {
  if (file.kind === 'problem') return { state: 'refused', problem: file.message }
  if (file.kind === 'timings') return { state: 'here', heard: file.heard }
  const { extension, durationSeconds, warnings = [] } = file.audio
  return { state: 'here', extension, durationSeconds, warnings }
}

async function limitFiles(tx: Executor, draftId: string): Promise<void> {
  const [sum] = await tx
    .select({ files: sql<number>`count(*)::int`, bytes: sql<string>`coalesce(sum(size_bytes), 0)` })
    .from(importDraftFiles)
    .where(eq(importDraftFiles.draftId, draftId))
  if ((sum?.files ?? 0) > audioFilesMax)
    throw new AppError(
      'too_large',
      `Send at most ${audioFilesMax} files with one sheet. Split it into parts.`,
    )
  if (Number(sum?.bytes ?? 0) > draftBytesMax)
    throw new AppError('too_large', 'These files are too much for one import. Split it into parts.')
}

type KnownAudio = {
  extension: AudioExtension
  durationSeconds: number
  sizeBytes: number
  warnings: string[]
}

/** Finds stored audio by hash, in the library and in the operator's own imports. */
async function findKnown(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  files: readonly AnnouncedFile[],
  owner: string,
): Promise<Map<string, KnownAudio>> {
  const hashes = files.flatMap(({ hash }) => hash ?? [])
  if (hashes.length === 0) return new Map()
  const { hash, extension, durationSeconds, sizeBytes } = audioFiles
  const rows = [
    ...(await db
      .select({
        hash: importDraftFiles.hash,
        extension: importDraftFiles.extension,
        durationSeconds: importDraftFiles.durationSeconds,
        sizeBytes: importDraftFiles.sizeBytes,
        warnings: importDraftFiles.warnings,
      })
      .from(importDraftFiles)
      .innerJoin(importDrafts, eq(importDrafts.id, importDraftFiles.draftId))
      .where(
        and(
          eq(importDrafts.owner, owner),
          inArray(importDraftFiles.hash, hashes),
          eq(importDraftFiles.state, 'here'),
        ),
      )),
    // Audio of the library was checked when it was stored. Its warnings, if the operator sent it, are in one of the
    // drafts above.
    ...(await db
      .select({ hash, extension, durationSeconds, sizeBytes, warnings: sql<string[]>`'[]'::jsonb` })
      .from(audioFiles)
      .where(inArray(hash, hashes))),
  ]
  const known = new Map<string, KnownAudio>()
  for (const { hash, extension, durationSeconds, sizeBytes, warnings } of rows) {
    if (!hash || !extension || durationSeconds === null || known.has(hash)) continue
    if (await storage.find({ hash, extension }))
      known.set(hash, { extension, durationSeconds, sizeBytes, warnings })
  }
  return known
}
