import { narratorLine } from '#src/story/narrator-words'
import { urls } from '#src/urls'
import type { Item } from './schema'

/** The part of an item that its track takes along into the player. */
export type TrackItem = Pick<Item, 'id' | 'source' | 'type' | 'slug' | 'title'> & {
  narratorLine: string | null
  hasAudio: boolean
  /** Whether visitors may hear it. */
  isFree: boolean
  /** Whether a narration may be on its way. */
  isGenerating: boolean
  durationSeconds: number | null
  contentNotes: readonly string[]
}

/** The player's track for an item. The address is that of free audio or of premium audio. */
export function trackOf(item: Item): ItemTrack {
  const voice =
    item.narrations[item.voice] || !(item.narrations.female || item.narrations.male)
      ? item.voice
      : item.voice === 'female'
        ? 'male'
        : 'female'
  return {
    id: `${item.source}-${item.type}-${item.id}`,
    title: item.title,
    voice,
    src: item.audioUrl ?? urls.premiumAudio(item.id, voice),
    meta: {
      id: item.id,
      source: item.source,
      type: item.type,
      slug: item.slug,
      title: item.title,
      narratorLine: narratorLine(item),
      hasAudio: item.narrations.female || item.narrations.male,
      isFree: item.isFree,
      isGenerating: item.isGenerating,
      durationSeconds: item.audioDurationSeconds,
      contentNotes: item.contentNotes,
    },
  }
}

/** A track of the player: one item in one voice. */
export type Track = {
  /** source-type-id */
  id: string
  title: string
  voice: string
  src: string
  /** The item that the track was made from, as plain data. */
  meta: object
}

/** A track made from an item of the library or of My Content. */
export type ItemTrack = Track & { meta: TrackItem }
