import type { PremiumItem } from '#src/story/draft-schema'

/** The columns of an item that its card in the library shows. */
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

/** The data that the card of an item shows. */
export type CardItem = Pick<
  PremiumItem,
  Exclude<(typeof cardFields)[number], 'publishedAt'> | 'content' | 'generateAudio'
> & {
  /** When a scheduled item appears. */
  publishedAt: Date | string | null
  /** Whether there is audio in any voice. */
  hasAudio: boolean
}
