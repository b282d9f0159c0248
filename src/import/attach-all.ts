import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { attachAudio } from '#src/narration/attach'
import { enqueueNarration } from '#src/narration/enqueue'
import type { HeardWord } from '#src/narration/timing/read-heard-words'
import { alignTimings, findNarration } from '#src/narration/upload/upload-timings'
import type { Voice } from '#src/story/rules'
import type { Plan, PlannedAudio, PlannedRow } from './plan'
import type { ImportRequest, QueuedNarration } from './request'

/**
 * Attaches audio to the items of a plan and queues the narrations that are requested and missing. Returns the narration
 * jobs by item.
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
    for (const audio of row.audio) {
      if (audio.isNew) await attachNew(tx, { storyId, batchId }, row, audio)
      attached += 1
      onAttached(attached)
    }
    if (!isToBeNarrated(row, request)) continue
    const jobId = await enqueueNarration(tx, storyId, row.item.voice)
    if (jobId) queued.set(storyId, { voice: row.item.voice, jobId })
  }
  return queued
}

/** Attaches the file of one voice with its timings. Timings that do not fit become a warning on the row. */
async function attachNew(
  tx: Executor,
  { storyId, batchId }: { storyId: string; batchId: string },
  { item, admitted }: PlannedRow,
  { voice, file }: PlannedAudio,
): Promise<void> {
  await attachAudio(tx, {
    storyId,
    voice,
    file,
    provider: 'upload',
    narrator: voice === 'female' ? item.narratorFemale : item.narratorMale,
    fileName: file.fileName,
    importId: batchId,
  })
  const problem = file.heard ? await alignHeard(tx, storyId, voice, file.heard) : null
  if (problem) admitted.warnings.push(`${file.fileName}: ${problem}`)
}

/** Whether to queue a narration: for a new item without audio, if the request or its own row asks for one. */
function isToBeNarrated({ verdict, audio, item }: PlannedRow, { narrate }: ImportRequest): boolean {
  if (verdict !== 'create' || audio.length > 0) return false
  return narrate === 'all' || (narrate === 'as-stated' && item.generateAudio)
}

/**
 * Aligns the timings with the narration. If they do not fit, the narration stays without timings and the reason is
 * returned.
 */
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
