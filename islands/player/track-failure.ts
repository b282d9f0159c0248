import { track as trackEvent } from '#islands/listening/track-event'
import { contentOf } from '#islands/player/track-content'
import { emit } from '#islands/runtime/events'
import type { Track } from '#src/story/track-rules'

/** The context of a failure in error_occurred (docs/behaviour/player.md). */
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

export function showNoAudio(): void {
  emit('nocturne:toast', {
    kind: 'bad',
    title: 'Audio not available',
    description: "This content doesn't have an audio file yet",
  })
}
