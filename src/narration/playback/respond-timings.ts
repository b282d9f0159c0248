import { and, eq } from 'drizzle-orm'
import * as t from 'typebox'
import { audioFiles, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { isKnown } from '#src/http/entity-tag'
import { findTimings } from '#src/narration/timing/store-timings'
import type { RequestContext } from '#src/request/context'
import { sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import type { Voice } from '#src/story/rules'
import { audioFor } from './may-hear'

const packed = (of: string, examples: number[][]) =>
  t.Array(t.Integer(), {
    description: `Four numbers ${of}: its place in the text (UTF-16 units from the end of the one before), its length, its start (milliseconds from the end of the one before), and its duration in milliseconds, doubled, plus one where it is interpolated.`,
    examples,
  })

export const NarrationTimings = t.Object({
  durationSeconds: t.Number({ examples: [764.2] }),
  provider: t.String({ description: 'Who spoke.', examples: ['built-in'] }),
  narrator: t.Union([t.String(), t.Null()], { examples: ['rachel'] }),
  timings: t.Union([
    t.Object({
      source: oneOf(['voice', 'file'], { description: 'As the voice spoke, or from a file of timings.' }),
      isOfThisText: t.Boolean({
        description: 'False where the text was changed since: its words are not to be highlighted.',
      }),
      sentences: packed('a sentence', [[0, 26, 300, 3_720]]),
      words: packed('a word', [[0, 3, 300, 240, 1, 4, 0, 620]]),
    }),
    t.Null({ description: 'The times of the words are unknown.' }),
  ]),
  peaks: t.Union([
    t.Array(t.Number(), {
      description: 'The loudest of each of 800 equal parts, 0 to 1.',
      examples: [[0, 0.4]],
    }),
    t.Null(),
  ]),
})

/**
 * Answers with the timings of each sentence and word of a narration, and its waveform. Throws like `audioFor` if the
 * caller may not hear it. An unchanged answer is a 304.
 */
export async function respondTimings(
  { caller, services: { db }, request }: RequestContext,
  storyId: string,
  voice: string,
): Promise<Response> {
  const { hash } = await audioFor(db, caller, storyId, voice)
  const body = JSON.stringify(await timingsOf(db, storyId, voice === 'male' ? 'male' : 'female', hash))
  const headers = {
    etag: `"${sha256(body).slice(0, 32)}"`,
    'cache-control': 'private, no-cache',
    vary: 'cookie',
  }
  if (isKnown(request, headers.etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } })
}

async function timingsOf(
  db: Services['db'],
  storyId: string,
  voice: Voice,
  hash: string,
): Promise<t.Static<typeof NarrationTimings>> {
  const [narration] = await db
    .select({
      id: narrations.id,
      provider: narrations.provider,
      narrator: narrations.narrator,
      durationSeconds: audioFiles.durationSeconds,
      peaks: audioFiles.peaks,
      content: stories.content,
    })
    .from(narrations)
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .innerJoin(stories, eq(stories.id, narrations.storyId))
    .where(
      and(
        eq(narrations.storyId, storyId),
        eq(narrations.voice, voice),
        eq(narrations.isCurrent, true),
        eq(narrations.audioHash, hash),
      ),
    )
  // The narration was replaced between the two queries.
  if (!narration) throw new AppError('not_found', 'There is no such narration.')
  const stored = await findTimings(db, narration.id)
  return {
    durationSeconds: narration.durationSeconds,
    provider: narration.provider,
    narrator: narration.narrator,
    timings: stored && {
      source: stored.source,
      isOfThisText: stored.textHash === sha256(narration.content),
      sentences: stored.sentences,
      words: stored.words,
    },
    peaks: narration.peaks,
  }
}
