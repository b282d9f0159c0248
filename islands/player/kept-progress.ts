import { apiCall } from '#islands/api-call'
import type { TrackContent } from '#islands/player/track-content'
import type { Progress } from '#src/listening/schema'

/** The kept position of an item: null where there is none, undefined where it could not be asked for. */
export async function findKeptProgress({
  contentId,
  contentType,
}: TrackContent): Promise<Progress | null | undefined> {
  try {
    const answer = await apiCall(`/api/analytics/progress/${encodeURIComponent(contentId)}/${contentType}`)
    return isProgress(answer) ? answer : null
  } catch (error) {
    console.warn('The kept position could not be read.', error)
    return undefined
  }
}

function isProgress(answer: unknown): answer is Progress {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'lastPositionSec' in answer &&
    typeof answer.lastPositionSec === 'number' &&
    'totalSec' in answer &&
    (answer.totalSec === null || typeof answer.totalSec === 'number')
  )
}
