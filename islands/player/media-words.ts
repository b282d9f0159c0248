import { contentOf } from '#islands/player/track-content'
import type { Track } from '#src/story/track-rules'
import { coverPath } from '#src/text/cover-seed'
import { clock } from '#src/ui/clock'
import { discreetSound } from '#src/ui/discreet'

export type MediaWords = { title: string; artist: string; cover: string | null }

/** Returns a track's texts for the lock screen. In discreet mode they contain only its length. */
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
  return { title: track.title, artist: content?.narratorLine ?? '', cover: coverPath(track.title) }
}
