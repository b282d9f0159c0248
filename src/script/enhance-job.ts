import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Executor } from '#db/db'
import { enqueue } from '#src/job/enqueue'
import type { JobHandler } from '#src/job/worker'
import { sha256 } from '#src/keyed-hash'
import { admitSpeech } from '#src/narration/admit-speech'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { keepScript } from './keep-script'
import { makeScript } from './make-script'
import { findText } from './queries'

export const enhanceKind = 'enhance'
const Payload = t.Object({ textHash: t.String() })

/** What the row of a finished job keeps. */
export type EnhanceResult = { madeBy: string; note: string | null }

/**
 * Has the script of an item made anew, once for the same text while that waits or runs. Throws `not_found`,
 * and `invalid` for an item without text.
 */
export async function enqueueEnhancement(db: Executor, storyId: string, priority?: number): Promise<string> {
  const story = await findText(db, storyId)
  if (!story) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  if (!story.content.trim()) throw new Refusal('invalid', 'This item has no text to make a script of.')
  const textHash = sha256(story.content)
  return enqueue(db, {
    kind: enhanceKind,
    dedupeKey: sha256([storyId, textHash].join('\n')),
    storyId,
    payload: { textHash } satisfies t.Static<typeof Payload>,
    ...(priority !== undefined && { priority }),
  })
}

/** Makes and keeps the script. Run again after a crash it makes the same one, in the same place. */
export function enhanceHandler(parts: Pick<Parts, 'db' | 'env' | 'secrets' | 'log'>): JobHandler {
  return async (job, { signal }): Promise<EnhanceResult> => {
    const { textHash } = Value.Decode(Payload, job.payload)
    const story = job.storyId === null ? null : await findText(parts.db, job.storyId)
    if (!story) throw new Refusal('not_found', 'The item is gone, or was removed.')
    if (sha256(story.content) !== textHash) {
      throw new Refusal('conflict', 'The text was changed since. Have its script made again.')
    }
    await admitSpeech(parts, story)
    const { script, madeBy, note } = await makeScript(parts, story, signal)
    signal.throwIfAborted()
    await keepScript(parts.db, story.id, story.content, script, madeBy)
    return { madeBy, note }
  }
}
