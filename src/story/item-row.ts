import { sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { pick } from '#src/shape/pick'
import { urls } from '#src/urls'
import { publicFields } from './fields'
import { preview, previewCharactersMax, readingMinutes } from './rules'
import type { Item } from './schema'

/** How much of the text is read: nothing for cards, a preview for visitors, the whole text for members. */
export const textsShown = ['none', 'preview', 'whole'] as const
export type TextShown = (typeof textsShown)[number]

/**
 * The voices in which an item has narrations. The columns are written with their table names: in a select from one
 * table drizzle omits these, and the names would then refer to the columns of narrations.
 */
export const voicesSpoken = sql<
  string[]
>`array(select voice from narrations where narrations.story_id = stories.id and narrations.is_current)`

/**
 * A text that changes whenever anything that a card shows of an item changes: the transaction that last wrote its row,
 * the time of that (transaction ids may repeat after a failover), and the voices of its narrations.
 */
export const itemVersion = sql<string>`concat_ws(' ', stories.xmin, stories.updated_at, ${voicesSpoken})`

/** The columns of an item, with as much of its text as requested. */
export function itemColumns(text: TextShown) {
  const content = {
    none: sql<string>`''`,
    preview: stories.preview,
    whole: stories.content,
  }[text]
  return {
    ...pick(stories, publicFields),
    duration: stories.minutes,
    ...pick(stories, [
      'id',
      'slug',
      'source',
      'audioDurationSeconds',
      'premiumContentId',
      'isGenerating',
      'wordCount',
      'upvotes',
      'downvotes',
      'createdAt',
      'updatedAt',
    ]),
    content: sql<string>`${content}`,
    voicesSpoken,
  }
}

type Row = Omit<
  Item,
  | 'contentTruncated'
  | 'audioUrl'
  | 'narrations'
  | 'readingMinutes'
  | 'publishedAt'
  | 'createdAt'
  | 'updatedAt'
  | 'categories'
> & {
  categories: string[]
  voicesSpoken: string[]
  publishedAt: Date
  createdAt: Date
  updatedAt: Date
}

/** Converts a row of `itemColumns` to the item that pages and the API show. */
export function toItem(
  { voicesSpoken, publishedAt, createdAt, updatedAt, ...row }: Row,
  text: TextShown,
): Item {
  const spoken = voicesSpoken.includes(row.voice) ? row.voice : voicesSpoken[0]
  return {
    ...row,
    categories: row.categories as Item['categories'],
    content: text === 'preview' ? preview(row.content, previewCharactersMax) : row.content,
    contentTruncated: text !== 'whole' && row.wordCount > 0,
    audioUrl: row.isFree && spoken ? urls.premiumAudio(row.id, spoken) : null,
    narrations: { female: voicesSpoken.includes('female'), male: voicesSpoken.includes('male') },
    readingMinutes: readingMinutes(row.wordCount),
    publishedAt: publishedAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
