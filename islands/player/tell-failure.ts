import { emit, type Track } from '#islands/events'
import { contentOf } from '#islands/player/track-content'
import { track as trackEvent } from '#islands/track-event'

/** What error_occurred says of a failure (visitor.md §8). */
export type ErrorContext =
  | 'audio-playback'
  | 'auth-required'
  | 'permission-check-error'
  | 'autoplay-blocked'
  | 'play-error'
  | 'resume-error'

export function tellFailure(track: Track | null, context: ErrorContext, error: string): void {
  const content = track && contentOf(track)
  trackEvent('error_occurred', {
    contentId: content?.contentId,
    contentType: content?.contentType,
    data: { error, context },
  })
}

export function sayNoAudio(): void {
  emit('nocturne:toast', {
    kind: 'bad',
    title: 'Audio not available',
    description: "This content doesn't have an audio file yet",
  })
}
