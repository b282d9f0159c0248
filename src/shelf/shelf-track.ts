import type { Track } from '#islands/events'
import type { UserContentItem } from '#src/creation/schema'
import { narratorName, narratorOfVoice } from '#src/narration/rules'
import type { TrackItem } from '#src/story/track'

/** What the player loads for an item of the shelf. */
export function shelfTrack(item: UserContentItem): Track & { meta: TrackItem } {
  const { id, source, type, slug, title, audioUrl, narrator, audioDurationSeconds, contentNotes } = item
  const voice = audioUrl?.endsWith('/male') ? 'male' : 'female'
  const by = type === 'flow' ? 'Guided by' : 'Narrated by'
  const name = voice === item.voice && narrator ? narrator : narratorOfVoice[voice]
  return {
    id: `${source}-${type}-${id}`,
    title,
    voice,
    src: audioUrl ?? '',
    meta: {
      id,
      source,
      type,
      slug,
      title,
      narratorLine: `${by} ${narratorName(name)}`,
      hasAudio: audioUrl !== null,
      durationSeconds: audioDurationSeconds,
      contentNotes,
    },
  }
}
