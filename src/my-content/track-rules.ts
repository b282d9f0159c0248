import { narratorName, narratorOfVoice } from '#src/narration/rules'
import type { ItemTrack } from '#src/story/track-rules'
import type { UserContentItem } from '#src/user-story/schema'

/** The player's track for an item of My Content. */
export function userContentTrack(
  item: Omit<UserContentItem, 'createdAt' | 'updatedAt' | 'wordCount' | 'isGenerating'>,
): ItemTrack {
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
      isFree: false,
      // An item without a narration has no audio address to wait for.
      isGenerating: false,
      durationSeconds: audioDurationSeconds,
      contentNotes,
    },
  }
}
