import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { enqueue } from '#src/job/enqueue'
import type { JobHandler } from '#src/job/worker'
import { moderateSpeech } from '#src/review/admit-speech'
import { sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import { makeScript } from './make-script'
import { requireOpenText } from './open-text'
import { findText } from './queries'
import { storeScript } from './store-script'

export const enhanceKind = 'enhance'
const Payload = t.Object({ textHash: t.String() })

/** The result of a finished job. */
type EnhanceResult = { madeBy: string; note: string | null }

/**
 * Queues the generation of an item's script, once for the same text while that waits or runs. Throws `not_found`, and
 * `invalid` for an item without text.
 */
export async function enqueueEnhancement(db: Executor, storyId: string, priority?: number): Promise<string> {
  const story = await requireOpenText(db, storyId)
  if (!story.content.trim()) throw new AppError('invalid', 'This item has no text to make a script of.')
  const textHash = sha256(story.content)
  return enqueue(db, {
    kind: enhanceKind,
    dedupeKey: sha256([storyId, textHash].join('\n')),
    storyId,
    payload: { textHash } satisfies t.Static<typeof Payload>,
    ...(priority !== undefined && { priority }),
  })
}

/** Generates and stores the script. Run again after a crash it writes the same row. */
export function enhanceHandler(services: Pick<Services, 'db' | 'env' | 'secrets' | 'log'>): JobHandler {
  return async (job, { signal }): Promise<EnhanceResult> => {
    const { textHash } = Value.Decode(Payload, job.payload)
    const story = job.storyId === null ? null : await findText(services.db, job.storyId)
    if (!story) throw new AppError('not_found', 'The item is gone, or was removed.')
    if (sha256(story.content) !== textHash) {
      throw new AppError('conflict', 'The text was changed since. Have its script made again.')
    }
    await moderateSpeech(services, story)
    const { script, madeBy, note } = await makeScript(services, story, signal)
    signal.throwIfAborted()
    await storeScript(services.db, { storyId: story.id, text: story.content }, script, madeBy)
    return { madeBy, note }
  }
}
