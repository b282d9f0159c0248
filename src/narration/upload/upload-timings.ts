import { and, eq } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { audioFiles, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { alignWords } from '#src/narration/timing/align-words'
import { type HeardWord, readHeardWords } from '#src/narration/timing/read-heard-words'
import { storeTimings } from '#src/narration/timing/store-timings'
import { packTimings } from '#src/narration/timing/timing-rules'
import { recordChange } from '#src/operator/audit'
import { sha256 } from '#src/security/keyed-hash'
import { isId } from '#src/shape/id'
import { refusedField } from '#src/shape/invalid-field'
import { isOpenToOperators } from '#src/story/operator-sight'
import { type Voice, voices } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'

export type UploadedTimings = { sentences: number; words: number; matched: number }

/** With a smaller share of matched words, the timings belong to another text. */
const matchedShareMin = 0.6
/** A recogniser's last word may end a little after the audio does. */
const overhangSeconds = 3

/**
 * Gives the current narration of an item in a voice its timings, from a file made by hand or by a speech recogniser,
 * aligned to the item's sentences. Throws `not_found`, and `invalid` for timings of another text or another recording.
 */
export async function uploadTimings(
  db: Database,
  storyId: string,
  { voice, file }: { voice: string; file: string },
  by: string,
): Promise<UploadedTimings> {
  const heard = await readHeardWords(file)
  return db.transaction(async (tx) => {
    const narration = await findNarration(tx, storyId, voice)
    const aligned = await alignTimings(tx, narration, heard)
    await recordChange(tx, by, {
      action: 'upload_timings',
      subjectType: 'item',
      subjectId: storyId,
      after: { voice, ...aligned },
    })
    return aligned
  })
}

type Narration = { id: string; content: string; durationSeconds: number }

/** Aligns heard words to a narration's text and stores them as its timings. Throws `invalid`. */
export async function alignTimings(
  db: Executor,
  { id, content, durationSeconds }: Narration,
  heard: readonly HeardWord[],
): Promise<UploadedTimings> {
  const last = heard.reduce((end, word) => Math.max(end, word.startSeconds), 0)
  if (last > durationSeconds + overhangSeconds)
    throw refusedField(
      'file',
      `The timings last ${Math.round(last)} s, but the narration ends at ${Math.round(durationSeconds)} s. Are they from another recording?`,
    )
  const { timings, matched, total } = await alignWords(content, heard)
  if (matched < total * matchedShareMin || total === 0)
    throw refusedField(
      'file',
      `Only ${matched} of the ${pluralize(total, 'word')} of the text are in these timings. Are they from another text?`,
    )
  await storeTimings(db, id, { ...packTimings(timings), textHash: sha256(content), source: 'file' })
  return { sentences: timings.sentences.length, words: total, matched }
}

/** Finds the current narration of an item in a voice. Throws `not_found`. */
export async function findNarration(db: Executor, storyId: string, voice: string): Promise<Narration> {
  const known: Voice | undefined = voices.find((each) => each === voice)
  const [narration] =
    known && isId(storyId)
      ? await db
          .select({
            id: narrations.id,
            content: stories.content,
            durationSeconds: audioFiles.durationSeconds,
          })
          .from(narrations)
          .innerJoin(stories, eq(stories.id, narrations.storyId))
          .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
          .where(
            and(
              eq(narrations.storyId, storyId),
              eq(narrations.voice, known),
              eq(narrations.isCurrent, true),
              isOpenToOperators(),
            ),
          )
      : []
  if (!narration) throw new AppError('not_found', 'There is no such narration. Upload the audio first.')
  return narration
}
