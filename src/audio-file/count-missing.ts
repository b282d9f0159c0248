import { and, inArray, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { audioFiles } from '#db/schema'
import type { AudioStorage } from '#src/storage/storage'

/** Looked for by one statement: memory does not grow with the library. */
const filesAtOnce = 5_000

const isNarrated = sql`exists (select 1 from narrations where audio_hash = audio_files.hash)`

/** How many files narrations have, and how many of them are not in the storage. */
export async function countMissingAudio(
  db: Database,
  storage: Pick<AudioStorage, 'list'>,
): Promise<{ narrated: number; missing: number }> {
  const narrated = await db.$count(audioFiles, isNarrated)
  let found = 0
  let hashes: string[] = []
  const look = async () => {
    found += await db.$count(audioFiles, and(isNarrated, inArray(audioFiles.hash, hashes)))
    hashes = []
  }
  for await (const { hash } of storage.list()) if (hashes.push(hash) === filesAtOnce) await look()
  await look()
  // A narration may have come meanwhile.
  return { narrated, missing: Math.max(0, narrated - found) }
}
