import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { audioFiles, jobs, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { narrateKind } from '#src/narration/enqueue'
import { recordChange } from '#src/operator/audit'
import { isId } from '#src/shape/id'
import type { AudioFile } from '#src/storage/audio-file'
import { chooseNarration, isCurrentNarration, measureNarration } from '#src/story/current-narrations'
import { libraryChanged } from '#src/story/library-changed'
import { missingItem } from '#src/story/require-item'
import type { Voice } from '#src/story/rules'

/** Most narrations listed of one item. Nobody looks for one that was replaced so many times. */
const narrationsListedMax = 50

/**
 * Lists the narrations of a library item: current ones first, then earlier ones, newest first. A file that the same
 * voice had more than once is listed once: as the current narration, otherwise as the most recent one.
 */
export async function listNarrations(db: Executor, storyId: string) {
  const last = db
    .selectDistinctOn([narrations.voice, narrations.audioHash], { id: narrations.id })
    .from(narrations)
    .where(eq(narrations.storyId, storyId))
    .orderBy(narrations.voice, narrations.audioHash, desc(narrations.isCurrent), desc(narrations.createdAt))
  return db
    .select({
      id: narrations.id,
      voice: narrations.voice,
      narrator: narrations.narrator,
      provider: narrations.provider,
      fileName: narrations.fileName,
      costUsd: narrations.costUsd,
      isCurrent: narrations.isCurrent,
      sizeBytes: audioFiles.sizeBytes,
      durationSeconds: audioFiles.durationSeconds,
      createdAt: narrations.createdAt,
    })
    .from(narrations)
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(inArray(narrations.id, last))
    .orderBy(desc(narrations.isCurrent), desc(narrations.createdAt))
    .limit(narrationsListedMax)
}
export type ListedNarration = Awaited<ReturnType<typeof listNarrations>>[number]

/** Throws `not_found` if the library has no such item. Members' items have no earlier narrations to choose from. */
export async function requireLibraryItem(db: Executor, storyId: string): Promise<void> {
  if (!isId(storyId) || (await db.$count(stories, isOfLibrary(storyId))) === 0) throw missingItem()
}

/** Finds the file of any narration of a library item, earlier or current. Throws `not_found`. */
export async function findNarrationFile(
  db: Executor,
  storyId: string,
  narrationId: string,
): Promise<AudioFile> {
  if (!isId(storyId) || !isId(narrationId)) throw missingNarration()
  const [file] = await db
    .select({ hash: audioFiles.hash, extension: audioFiles.extension })
    .from(narrations)
    .innerJoin(stories, and(eq(stories.id, narrations.storyId), isOfLibrary(storyId)))
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(eq(narrations.id, narrationId))
  if (!file) throw missingNarration()
  return file
}

/**
 * Makes an earlier narration of a library item the current one of its voice again, with the times of its words. Does
 * nothing if it is current already. Throws `not_found`, and `conflict` while a narration in that voice is being made.
 */
export async function restoreNarration(
  db: Database,
  storyId: string,
  narrationId: string,
  by: string,
): Promise<{ voice: Voice }> {
  const voice = await db.transaction(async (tx) => {
    const wanted = await lockNarration(tx, storyId, narrationId)
    if (wanted.isCurrent) return wanted.voice
    await requireNoNarrationJob(tx, wanted)
    const [present] = await tx
      .select(recordedNarration)
      .from(narrations)
      .where(isCurrentNarration(storyId, wanted.voice))
    await chooseNarration(tx, wanted)
    await measureNarration(tx, storyId)
    const [restored] = await tx.select(recordedNarration).from(narrations).where(eq(narrations.id, wanted.id))
    await recordChange(tx, by, {
      action: 'restore_audio',
      subjectType: 'item',
      subjectId: storyId,
      before: present ?? null,
      after: restored,
    })
    return wanted.voice
  })
  await libraryChanged(db)
  return { voice }
}

/** Finds a narration, with its item locked first, as in every change of an item's narrations. */
async function lockNarration(tx: Executor, storyId: string, narrationId: string) {
  if (!isId(storyId) || !isId(narrationId)) throw missingNarration()
  const [story] = await tx.select({ id: stories.id }).from(stories).where(isOfLibrary(storyId)).for('update')
  const [narration] = await tx
    .select({
      id: narrations.id,
      storyId: narrations.storyId,
      voice: narrations.voice,
      isCurrent: narrations.isCurrent,
    })
    .from(narrations)
    .where(and(eq(narrations.id, narrationId), eq(narrations.storyId, storyId)))
  if (!story || !narration) throw missingNarration()
  return narration
}

/**
 * Throws `conflict` if a narration in this voice is queued or running: once ready, it would replace the restored one.
 */
async function requireNoNarrationJob(tx: Executor, { storyId, voice }: { storyId: string; voice: Voice }) {
  const speaking = and(
    eq(jobs.storyId, storyId),
    eq(jobs.kind, narrateKind),
    inArray(jobs.state, ['queued', 'running']),
    sql`${jobs.payload}->>'voice' = ${voice}`,
  )
  if ((await tx.$count(jobs, speaking)) > 0)
    throw new AppError(
      'conflict',
      'A narration in this voice is being made, and would replace it. Cancel it, or wait for it.',
    )
}

function isOfLibrary(storyId: string) {
  return and(eq(stories.id, storyId), eq(stories.source, 'pre_uploaded'))
}

function missingNarration(): AppError {
  return new AppError('not_found', 'There is no such narration of this item.')
}

const recordedNarration = {
  voice: narrations.voice,
  audioHash: narrations.audioHash,
  fileName: narrations.fileName,
}
