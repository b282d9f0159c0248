import { narratorName, narratorOfVoice } from '#src/narration/rules'
import type { Item } from '#src/story/schema'

export type NarratedItem = Pick<
  Item,
  'type' | 'voice' | 'narratorMale' | 'narratorFemale' | 'narrations' | 'audioUrl'
>

/** "Narrated by Rachel", "Guided by Bella"; null for a text that nobody speaks yet. */
export function narratorLine(item: NarratedItem): string | null {
  const named = item.voice === 'male' ? item.narratorMale : item.narratorFemale
  const isSpoken = item.audioUrl !== null || item.narrations.female || item.narrations.male
  if (!named && !isSpoken) return null
  const by = item.type === 'flow' ? 'Guided by' : 'Narrated by'
  return `${by} ${narratorName(named ?? narratorOfVoice[item.voice])}`
}

/** Minutes of an item: its length, else what reading it takes (visitor.md §2); null where neither is known. */
export function itemMinutes(
  item: Pick<Item, 'duration' | 'audioDurationSeconds' | 'readingMinutes'>,
): number | null {
  if (item.duration !== null) return item.duration
  if (item.audioDurationSeconds !== null) return Math.max(1, Math.round(item.audioDurationSeconds / 60))
  return item.readingMinutes
}

/** Minutes that reading takes: by its words where there is text, else its length (product.md §8). */
export function readMinutes(item: Pick<Item, 'duration' | 'readingMinutes'>): number {
  return item.readingMinutes ?? item.duration
}
