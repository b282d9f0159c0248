import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrationTimings } from '#db/schema'
import type { PackedTimings } from './timing-rules'

export type StoredTimings = PackedTimings & {
  /** SHA-256 of the text that the positions refer to. */
  textHash: string
  source: 'voice' | 'file'
}

/** Replaces the timings of a narration. */
export async function storeTimings(db: Executor, narrationId: string, timings: StoredTimings): Promise<void> {
  await db
    .insert(narrationTimings)
    .values({ narrationId, ...timings })
    .onConflictDoUpdate({ target: narrationTimings.narrationId, set: timings })
}

/** Finds the timings of a narration. Null if there are none. */
export async function findTimings(db: Executor, narrationId: string) {
  const [found] = await db
    .select({
      textHash: narrationTimings.textHash,
      source: narrationTimings.source,
      sentences: narrationTimings.sentences,
      words: narrationTimings.words,
    })
    .from(narrationTimings)
    .where(eq(narrationTimings.narrationId, narrationId))
  return found ?? null
}
