import type { TrackContent } from '#islands/player/track-content'
import { api } from '#islands/runtime/api'
import { readServerClock } from '#islands/runtime/server-clock'
import type { ProgressWithPlaces } from '#src/listening/schema'

/** Returns the saved position of an item: null if there is none, undefined if it could not be read. */
export async function findSavedProgress({
  contentId,
  contentType,
}: TrackContent): Promise<ProgressWithPlaces | null | undefined> {
  try {
    return await api('GET /api/analytics/progress/:contentId/:contentType', {
      path: { contentId, contentType },
      onResponse: readServerClock,
    })
  } catch (error) {
    console.warn('The saved position could not be read.', error)
    return undefined
  }
}
