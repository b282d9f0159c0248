import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrationTimings } from '#db/schema'
import type { PackedTimings } from './timings'

export type KeptTimings = PackedTimings & {
  /** SHA-256 of the text that their places belong to. */
  textHash: string
  source: 'voice' | 'file'
}

/** The timings of a narration; those before are replaced. */
export async function keepTimings(db: Executor, narrationId: string, timings: KeptTimings): Promise<void> {
  await db
    .insert(narrationTimings)
    .values({ narrationId, ...timings })
    .onConflictDoUpdate({ target: narrationTimings.narrationId, set: timings })
}

/** Null where nobody knows when what is said. */
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
