import { hideNote, showNote } from '#islands/player/notes'
import { api } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'

/**
 * allowed; signInNeeded: 403; locked: 403 because of a PIN; missing: no such narration; failed: no response or another
 * error.
 */
export type Permission = 'allowed' | 'signInNeeded' | 'locked' | 'missing' | 'failed'

/** Polling interval, the same as for a narration in progress in My Content. */
const pollMs = 1_500

/**
 * Prioritizes the pending narration of an item, shows a notice, and resolves when the narration can be heard, or with
 * `missing` if none is in progress. Stops polling when the person no longer waits for it.
 */
export async function awaitNarration(
  id: string,
  voice: string,
  isAwaited: () => boolean,
): Promise<Permission> {
  try {
    const { state } = await api('POST /api/premium-audio/:id/:voice/prioritize', { path: { id, voice } })
    if (state === 'ready') return 'allowed'
    if (isAwaited()) showNote({ type: 'narrating' })
    while (isAwaited()) {
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      const { narrations, isGenerating } = await api('GET /api/content/:id', { path: { id } })
      if (voice === 'male' ? narrations.male : narrations.female) return 'allowed'
      if (!isGenerating) return 'missing'
    }
    return 'missing'
  } catch (error) {
    return permissionAfter(error)
  } finally {
    if (isAwaited()) hideNote('narrating')
  }
}

/** Returns the permission that a failed request for a narration implies. */
export function permissionAfter(error: unknown): Permission {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.status === 403) return error.answer.code === 'locked' ? 'locked' : 'signInNeeded'
  return error.status === 404 ? 'missing' : 'failed'
}
