import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { attachAudio } from '#src/narration/attach'
import { enqueueNarration } from '#src/narration/enqueue'
import type { HeardWord } from '#src/narration/timing/read-heard-words'
import { alignTimings, findNarration } from '#src/narration/upload/upload-timings'
import type { Voice } from '#src/story/rules'
import type { Plan, PlannedRow } from './plan'
import type { ImportRequest, QueuedNarration } from './request'

/**
 * Attaches audio to the items of a plan, and queues narrations where they are requested and missing: returns the
 * narration jobs, by item.
 */
export async function attachAll(
  tx: Executor,
  request: ImportRequest,
  { plan, ids, batchId }: { plan: Plan; ids: ReadonlyMap<PlannedRow, string>; batchId: string },
  onAttached: (done: number) => void,
): Promise<Map<string, QueuedNarration>> {
  const queued = new Map<string, QueuedNarration>()
  let attached = 0
  for (const row of plan.rows) {
    const storyId = row.existingId ?? ids.get(row)
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
    const isRequested =
      request.narrate === 'all' || (request.narrate === 'as-stated' && row.item.generateAudio)
    if (row.verdict !== 'create' || row.audio.length > 0 || !isRequested) continue
    const jobId = await enqueueNarration(tx, storyId, row.item.voice)
    if (jobId) queued.set(storyId, { voice: row.item.voice, jobId })
  }
  return queued
}

/** Where the timings do not fit the narration it stays without them; returns the reason. */
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
    if (error instanceof AppError) return error.message
    throw error
  }
}
