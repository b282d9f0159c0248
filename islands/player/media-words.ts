import type { Track } from '#islands/events'
import { contentOf } from '#islands/player/track-content'
import { urls } from '#src/urls'

/** What a lock screen shows of a track. The one place that says so: discreet mode puts neutral words here. */
export function mediaWordsOf(track: Track): { title: string; artist: string; cover: string } {
  return {
    title: track.title,
    artist: contentOf(track)?.narratorLine ?? '',
    cover: urls.cover(track.title),
  }
}
