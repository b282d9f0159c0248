import { track as trackEvent } from '#islands/listening/track-event'
import { contentOf } from '#islands/player/track-content'
import { api } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import type { Track } from '#src/story/track-rules'

/** The `context` of an `error_occurred` event (docs/behaviour/player.md). */
export type ErrorContext =
  | 'audio-playback'
  | 'auth-required'
  | 'permission-check-error'
  | 'autoplay-blocked'
  | 'play-error'
  | 'resume-error'

export function trackFailure(track: Track | null, context: ErrorContext, error: string): void {
  const content = track && contentOf(track)
  trackEvent('error_occurred', {
    contentId: content?.contentId,
    contentType: content?.contentType,
    data: { error, context },
  })
}

export function showNoAudio(description = "This content doesn't have an audio file yet"): void {
  emit('nocturne:toast', { kind: 'bad', title: 'Audio not available', description })
}

/** Explains that the server has no audio of a track. Its item may have been removed since the page was rendered. */
export async function showMissing(track: Track): Promise<void> {
  const id = contentOf(track)?.contentId
  const error = id && (await api('GET /api/content/:id', { path: { id } }).catch((error) => error))
  const isGone = error instanceof ApiError && error.status === 404
  showNoAudio(isGone ? 'This is no longer in the library.' : undefined)
}
