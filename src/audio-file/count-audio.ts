import { and, inArray, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { audioFiles } from '#db/schema'
import type { AudioStorage } from '#src/storage/storage'

/** Files of one query, so that memory does not grow with the library. */
const filesAtOnce = 5_000

const isNarrated = sql`exists (select 1 from narrations where audio_hash = audio_files.hash)`

export type AudioCount = {
  /** Files in the storage. */
  files: number
  bytes: number
  /** Files that narrations refer to, and how many of them are not in the storage; both 0 without a database. */
  narrated: number
  missing: number
}

/** Counts the files in the storage and, with a database, the files that should be there. Throws what either throws. */
export async function countAudio(
  storage: Pick<AudioStorage, 'list'>,
  db: Database | null,
): Promise<AudioCount> {
  const narrated = db ? await db.$count(audioFiles, isNarrated) : 0
  const counted = { files: 0, bytes: 0 }
  let found = 0
  let hashes: string[] = []
  const look = async () => {
    if (db) found += await db.$count(audioFiles, and(isNarrated, inArray(audioFiles.hash, hashes)))
    hashes = []
  }
  for await (const { hash, sizeBytes } of storage.list()) {
    counted.files += 1
    counted.bytes += sizeBytes
    if (hashes.push(hash) === filesAtOnce) await look()
  }
  await look()
  // A narration may have been added while counting.
  return { ...counted, narrated, missing: Math.max(0, narrated - found) }
}
