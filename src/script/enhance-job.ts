import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { enqueue } from '#src/job/enqueue'
import type { JobHandler } from '#src/job/run-job'
import { moderateSpeech } from '#src/review/admit-speech'
import { sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import { makeScript } from './make-script'
import { requireOpenText } from './open-text'
import { findText, seenScript } from './queries'
import { byPeople } from './rules'
import { storeMadeScript } from './store-script'

export const enhanceKind = 'enhance'
/** `seen` is the version of the script to replace. Jobs of an older version of the program lack it. */
const Payload = t.Object({ textHash: t.String(), seen: t.Optional(t.Array(t.String())) })

/** The result of a finished job. */
type EnhanceResult = { madeBy: string; note: string | null }

/**
 * Queues the generation of an item's script. A job for the same text and current script that waits or runs is not
 * queued again. Throws `not_found`, and `invalid` for an item without text.
 */
export async function enqueueEnhancement(db: Executor, storyId: string, priority?: number): Promise<string> {
  const story = await requireOpenText(db, storyId)
  if (!story.content.trim()) throw new AppError('invalid', 'This item has no text to make a script of.')
  const textHash = sha256(story.content)
  const seen = await seenScript(db, storyId, story.content)
  return enqueue(db, {
    kind: enhanceKind,
    dedupeKey: sha256([storyId, textHash, ...seen].join('\n')),
    storyId,
    payload: { textHash, seen } satisfies t.Static<typeof Payload>,
    ...(priority !== undefined && { priority }),
  })
}

/**
 * Generates and stores the script, unless an operator has edited it since the request. A job that runs again after a
 * crash keeps the row that it wrote.
 */
export function enhanceHandler(services: Pick<Services, 'db' | 'env' | 'secrets' | 'log'>): JobHandler {
  return async (job, { signal }): Promise<EnhanceResult> => {
    const { textHash, seen } = Value.Decode(Payload, job.payload)
    const story = job.storyId === null ? null : await findText(services.db, job.storyId)
    if (!story) throw new AppError('not_found', 'The item is gone, or was removed.')
    if (sha256(story.content) !== textHash) {
      throw new AppError('conflict', 'The text was changed since. Have its script made again.')
    }
    await moderateSpeech(services, story)
    const made = await makeScript(services, story, signal)
    signal.throwIfAborted()
    const { madeBy } = await storeMadeScript(services.db, story, made, { seen })
    if (byPeople.includes(madeBy)) {
      throw new AppError(
        'conflict',
        'The script was edited since. Have it made again if you want to replace it.',
      )
    }
    return { madeBy, note: made.note }
  }
}
