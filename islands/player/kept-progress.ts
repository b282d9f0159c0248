import { apiFetch } from '#islands/api-call'
import type { TrackContent } from '#islands/player/track-content'
import { readServerClock } from '#islands/server-clock'
import type { ProgressWithPlaces } from '#src/listening/schema'
import { urls } from '#src/urls'

/** The kept position of an item: null where there is none, undefined where it could not be asked for. */
export async function findKeptProgress({
  contentId,
  contentType,
}: TrackContent): Promise<ProgressWithPlaces | null | undefined> {
  try {
    const response = await apiFetch(urls.apiProgressOf(contentId, contentType))
    readServerClock(response)
    const answer: unknown = await response.json()
    return isProgress(answer) ? answer : null
  } catch (error) {
    console.warn('The kept position could not be read.', error)
    return undefined
  }
}

function isProgress(answer: unknown): answer is ProgressWithPlaces {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'lastPositionSec' in answer &&
    typeof answer.lastPositionSec === 'number' &&
    'totalSec' in answer &&
    (answer.totalSec === null || typeof answer.totalSec === 'number') &&
    'places' in answer &&
    Array.isArray(answer.places)
  )
}
