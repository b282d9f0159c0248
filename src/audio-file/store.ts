import { eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { audioLockSeed } from '#db/locks'
import { audioFiles, audioLeases, importDraftFiles, narrations } from '#db/schema'
import type { AudioExtension } from '#src/narration/rules'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import type { StagedFile } from '#src/storage/staging'

/**
 * Lifetime of a lease. A row refers to the stored audio within this time, even if thousands of files are uploaded with
 * it, or none ever does.
 */
const leaseHours = 24

/**
 * Stores a staged file for a row that will refer to it. A lease protects the file from the sweep until then, for a day
 * at most. Call `endAudioLease` in the transaction that writes the row.
 */
export async function storeAudio(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  staged: StagedFile,
  extension: AudioExtension,
): Promise<AudioFile> {
  await db.transaction(async (tx) => {
    await lockAudio(tx, staged)
    const leasedUntil = sql`now() + make_interval(hours => ${leaseHours})`
    await tx
      .insert(audioLeases)
      .values({ hash: staged.hash, leasedUntil })
      .onConflictDoUpdate({ target: audioLeases.hash, set: { leasedUntil } })
  })
  return storage.commit(staged, extension)
}

/** Ends the lease of a file. After this transaction, the row that refers to the audio protects it. */
export async function endAudioLease(tx: Executor, { hash }: Pick<AudioFile, 'hash'>): Promise<void> {
  await tx.delete(audioLeases).where(eq(audioLeases.hash, hash))
}

/**
 * Removes unused audio with its row, and returns whether it did. Audio is used if a narration or an open import refers
 * to it, or if a lease protects it. A concurrent `storeAudio` of the same file waits, and stores it again.
 */
export async function removeUnusedAudio(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  file: AudioFile,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockAudio(tx, file)
    if (await isUsed(tx, file)) return false
    await tx.delete(audioFiles).where(eq(audioFiles.hash, file.hash))
    await storage.remove({ hash: file.hash, extension: file.extension })
    return true
  })
}

/** Makes storing and removing the same file mutually exclusive until the transaction ends. */
async function lockAudio(tx: Executor, { hash }: Pick<AudioFile, 'hash'>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${hash}, ${audioLockSeed}))`)
}

async function isUsed(tx: Executor, { hash }: AudioFile): Promise<boolean> {
  const [row] = await tx.execute<{ isUsed: boolean }>(sql`
    select exists (select 1 from ${narrations} where audio_hash = ${hash})
      or exists (select 1 from ${importDraftFiles} where hash = ${hash})
      or exists (select 1 from ${audioLeases} where hash = ${hash} and leased_until > now()) as "isUsed"`)
  return row?.isUsed ?? true
}
