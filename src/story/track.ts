import type { Track } from '#islands/events'
import { narratorLine } from '#src/ui/narrator-line'
import { urls } from '#src/urls'
import type { Item } from './schema'

/** The part of an item that travels with its track into the player. */
export type TrackItem = Pick<Item, 'id' | 'source' | 'type' | 'slug' | 'title'> & {
  narratorLine: string | null
  hasAudio: boolean
  durationSeconds: number | null
  contentNotes: readonly string[]
}

/** What the player loads for an item: its own audio address where it is free, else the premium path. */
export function trackOf(item: Item): Track & { meta: TrackItem } {
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
      durationSeconds: item.audioDurationSeconds,
      contentNotes: item.contentNotes,
    },
  }
}
