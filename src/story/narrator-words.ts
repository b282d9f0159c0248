import { narratorName, narratorOfVoice } from '#src/narration/rules'
import type { Item } from '#src/story/schema'

export type NarratedItem = Pick<
  Item,
  'type' | 'voice' | 'narratorMale' | 'narratorFemale' | 'narrations' | 'audioUrl'
>

/** "Narrated by Rachel", "Guided by Bella". Null for a text without a narration. */
export function narratorLine(item: NarratedItem): string | null {
  const named = item.voice === 'male' ? item.narratorMale : item.narratorFemale
  const isSpoken = item.audioUrl !== null || item.narrations.female || item.narrations.male
  if (!named && !isSpoken) return null
  const by = item.type === 'flow' ? 'Guided by' : 'Narrated by'
  return `${by} ${narratorName(named ?? narratorOfVoice[item.voice])}`
}

/** Minutes of an item: the measured length of its narration, otherwise the stated one, otherwise its reading time. */
export function itemMinutes(
  item: Pick<Item, 'duration' | 'audioDurationSeconds'> & { readingMinutes?: Item['readingMinutes'] },
): number | null {
  if (item.audioDurationSeconds !== null) return Math.max(1, Math.round(item.audioDurationSeconds / 60))
  return item.duration ?? item.readingMinutes ?? null
}

/** Minutes that reading takes: by the number of words if there is text, otherwise the item's length. */
export function readMinutes(item: Pick<Item, 'duration' | 'readingMinutes'>): number {
  return item.readingMinutes ?? item.duration
}
