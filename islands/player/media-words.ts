import type { Track } from '#islands/events'
import { contentOf } from '#islands/player/track-content'
import { clock } from '#src/ui/clock'
import { discreetSound } from '#src/ui/discreet'
import { urls } from '#src/urls'

export type MediaWords = { title: string; artist: string; cover: string | null }

/** What a lock screen shows of a track; with `look` discreet nothing of it but how long it is. */
export function mediaWordsOf(track: Track, look: 'plain' | 'discreet' = 'plain'): MediaWords {
  const content = contentOf(track)
  if (look === 'discreet') {
    const seconds = content?.durationSeconds ?? 0
    return {
      title: seconds > 0 ? `${discreetSound}, ${clock(seconds)}` : discreetSound,
      artist: '',
      cover: null,
    }
  }
  return { title: track.title, artist: content?.narratorLine ?? '', cover: urls.cover(track.title) }
}
