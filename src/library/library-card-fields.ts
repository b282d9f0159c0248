import type { PremiumItem } from '#src/story/draft-schema'

/** What a card of the library shows of an item as it is stored. */
export const cardFields = [
  'id',
  'title',
  'type',
  'categories',
  'voice',
  'duration',
  'audioDurationSeconds',
  'status',
] as const

/** What the card shows of an item. */
export type CardItem = Pick<PremiumItem, (typeof cardFields)[number] | 'content' | 'generateAudio'> & {
  /** In any voice. */
  hasAudio: boolean
}
