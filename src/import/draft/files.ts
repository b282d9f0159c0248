import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { audioFiles, importDraftFiles, importDrafts } from '#db/schema'
import { type CheckedFile, checkFile } from '#src/import/check-file'
import { audioFilesMax, draftBytesMax } from '#src/import/rules'
import type { AudioExtension } from '#src/narration/rules'
import type { StagedFile } from '#src/narration/staging'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'
import { holdOpen } from './change'
import { shownFile } from './find'
import type { AnnouncedFile, DraftFile } from './schema'

/**
 * Says which files are going to come. What the server has by its hash is taken as sent; what is here stays; what
 * was announced before and is not named any more is no longer waited for. Throws `not_found`, `conflict` and
 * `too_large`.
 */
export async function announceFiles(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  id: string,
  owner: string,
  files: readonly AnnouncedFile[],
): Promise<void> {
  const known = await findKnown({ db, storage }, files, owner)
  await db.transaction(async (tx) => {
    await holdOpen(tx, id, owner)
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
 * A file that was sent: audio is checked frame by frame and moved to its place, timings are read. One that cannot
 * be used is kept as refused, with the reason, and never stored. The staged file is gone either way.
 */
export async function addFile(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  id: string,
  owner: string,
  { staged, fileName }: { staged: StagedFile; fileName: string },
): Promise<DraftFile> {
  try {
    const checked = await checkFile(staged, fileName)
    if (checked.kind === 'audio') await storage.keep(staged, checked.audio.extension)
    return await db.transaction(async (tx) => {
      await holdOpen(tx, id, owner)
      const { hash, sizeBytes } = staged
      const file = await putFile(tx, id, { ...nothing, fileName, hash, sizeBytes, ...columnsOf(checked) })
      await limitFiles(tx, id)
      return file
    })
  } finally {
    await storage.discard(staged)
  }
}

/** Takes a file out of the draft again. Throws `not_found` and `conflict`. */
export async function removeFile(db: Database, id: string, owner: string, fileId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await holdOpen(tx, id, owner)
    const removed = isId(fileId)
      ? await tx
          .delete(importDraftFiles)
          .where(and(eq(importDraftFiles.id, fileId), eq(importDraftFiles.draftId, id)))
          .returning({ id: importDraftFiles.id })
      : []
    if (removed.length === 0) throw new Refusal('not_found', 'This file is not there any more.')
  })
}

type FileColumns = Omit<typeof importDraftFiles.$inferInsert, 'id' | 'draftId'>

const nothing = { extension: null, durationSeconds: null, heard: null, problem: null }

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
  const { extension, durationSeconds } = file.audio
  return { state: 'here', extension, durationSeconds }
}

async function limitFiles(tx: Executor, draftId: string): Promise<void> {
  const [sum] = await tx
    .select({ files: sql<number>`count(*)::int`, bytes: sql<string>`coalesce(sum(size_bytes), 0)` })
    .from(importDraftFiles)
    .where(eq(importDraftFiles.draftId, draftId))
  if ((sum?.files ?? 0) > audioFilesMax)
    throw new Refusal('too_large', `Send at most ${audioFilesMax} files with one sheet. Cut it into parts.`)
  if (Number(sum?.bytes ?? 0) > draftBytesMax)
    throw new Refusal('too_large', 'These files are more than one import takes. Cut it into parts.')
}

type KnownAudio = { extension: AudioExtension; durationSeconds: number; sizeBytes: number }

/** Audio of the library or of the operator's own imports that lies in its place, by hash. */
async function findKnown(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  files: readonly AnnouncedFile[],
  owner: string,
): Promise<Map<string, KnownAudio>> {
  const hashes = files.flatMap(({ hash }) => hash ?? [])
  if (hashes.length === 0) return new Map()
  const { hash, extension, durationSeconds, sizeBytes } = audioFiles
  const rows = [
    ...(await db
      .select({ hash, extension, durationSeconds, sizeBytes })
      .from(audioFiles)
      .where(inArray(hash, hashes))),
    ...(await db
      .select({
        hash: importDraftFiles.hash,
        extension: importDraftFiles.extension,
        durationSeconds: importDraftFiles.durationSeconds,
        sizeBytes: importDraftFiles.sizeBytes,
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
  ]
  const known = new Map<string, KnownAudio>()
  for (const { hash, extension, durationSeconds, sizeBytes } of rows) {
    if (!hash || !extension || durationSeconds === null || known.has(hash)) continue
    if (await storage.find({ hash, extension })) known.set(hash, { extension, durationSeconds, sizeBytes })
  }
  return known
}
