import type { Executor } from '#db/db'
import { attachAudio } from '#src/narration/attach'
import { enqueueNarration } from '#src/narration/enqueue'
import type { HeardWord } from '#src/narration/read-heard-words'
import { alignTimings, findNarration } from '#src/narration/upload-timings'
import { Refusal } from '#src/refusal'
import type { Voice } from '#src/story/rules'
import type { ImportRequest } from './apply'
import type { Plan } from './plan'

/** Gives the items of a plan their audio, and has narrated what was asked for and has none. */
export async function attachAll(
  tx: Executor,
  request: ImportRequest,
  plan: Plan,
  ids: ReadonlyMap<number, string>,
  batchId: string,
  onAttached: (done: number) => void,
): Promise<void> {
  let attached = 0
  for (const row of plan.rows) {
    const storyId = row.existingId ?? ids.get(row.row)
    if (!storyId || (row.verdict !== 'create' && row.verdict !== 'update')) continue
    for (const { voice, file, isNew } of row.audio) {
      if (isNew)
        await attachAudio(tx, {
          storyId,
          voice,
          file,
          provider: 'upload',
          narrator: voice === 'female' ? row.item.narratorFemale : row.item.narratorMale,
          fileName: file.fileName,
          importId: batchId,
        })
      const problem = isNew && file.heard ? await alignHeard(tx, storyId, voice, file.heard) : null
      if (problem) row.admitted.warnings.push(`${file.fileName}: ${problem}`)
      attached += 1
      onAttached(attached)
    }
    const isAsked = request.narrate === 'all' || (request.narrate === 'as-stated' && row.item.generateAudio)
    if (row.verdict === 'create' && row.audio.length === 0 && isAsked)
      await enqueueNarration(tx, storyId, row.item.voice)
  }
}

/** The narration stays without timings where they are not its own; answers why. */
async function alignHeard(
  tx: Executor,
  storyId: string,
  voice: Voice,
  heard: readonly HeardWord[],
): Promise<string | null> {
  try {
    await alignTimings(tx, await findNarration(tx, storyId, voice), heard)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
