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
  'publishedAt',
] as const

/** What the card shows of an item. */
export type CardItem = Pick<
  PremiumItem,
  Exclude<(typeof cardFields)[number], 'publishedAt'> | 'content' | 'generateAudio'
> & {
  /** Of a scheduled item: when it appears. */
  publishedAt: Date | string | null
  /** In any voice. */
  hasAudio: boolean
}
