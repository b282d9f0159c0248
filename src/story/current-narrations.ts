import { and, eq, ne, not, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrations, stories } from '#db/schema'
import { sha256 } from '#src/security/keyed-hash'
import { measuredSeconds } from './derived-columns'
import type { Voice } from './rules'

/** Condition of the current narration of an item in a voice. */
export function isCurrentNarration(storyId: string, voice: Voice) {
  return and(eq(narrations.storyId, storyId), eq(narrations.voice, voice), eq(narrations.isCurrent, true))
}

type VoicedNarration = { id: string; storyId: string; voice: Voice }

/** Makes a narration the current one of its voice. The previous one is retained. The caller has to lock the item. */
export async function makeCurrent(tx: Executor, { id, storyId, voice }: VoicedNarration): Promise<void> {
  await tx.update(narrations).set({ isCurrent: false }).where(isCurrentNarration(storyId, voice))
  await tx.update(narrations).set({ isCurrent: true }).where(eq(narrations.id, id))
}

/** Makes a narration current that a person chose: no narration requested before this will replace it. */
export async function chooseNarration(tx: Executor, chosen: VoicedNarration): Promise<void> {
  await makeCurrent(tx, chosen)
  await tx.update(narrations).set({ chosenAt: sql`now()` }).where(eq(narrations.id, chosen.id))
}

/** Updates an item's measured length after a change of its narrations. */
export async function measureNarration(tx: Executor, storyId: string): Promise<void> {
  const seconds = measuredSeconds(sql`stories.voice`)
  await tx.update(stories).set({ audioDurationSeconds: seconds }).where(eq(stories.id, storyId))
}

/**
 * Makes an item's narrations of any other text no longer current, so that only reviewed text is heard. An uploaded
 * narration is an operator's own act, and stays.
 */
export async function endOtherTexts(
  tx: Executor,
  { id, content }: { id: string; content: string },
): Promise<void> {
  const isOfThisText = sql`exists (
    select from narration_timings where narration_id = ${narrations.id} and text_hash = ${sha256(content)})`
  await tx
    .update(narrations)
    .set({ isCurrent: false })
    .where(
      and(
        eq(narrations.storyId, id),
        eq(narrations.isCurrent, true),
        ne(narrations.provider, 'upload'),
        not(isOfThisText),
      ),
    )
  await measureNarration(tx, id)
}
