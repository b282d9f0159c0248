import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { pick } from '#src/shape/pick'
import { publicFields, shownSchemas } from './fields'
import { categories, sources } from './rules'

/** An item as every list and page shows it: its public fields and values derived from them. */
export const Item = t.Object(
  {
    ...pick(shownSchemas, publicFields),
    id: t.String(),
    slug: t.String(),
    source: oneOf(sources),
    content: t.String({ description: 'The whole text for members; a preview for visitors.' }),
    contentTruncated: t.Boolean(),
    categories: t.Array(oneOf(categories)),
    audioDurationSeconds: orNull(t.Number()),
    audioUrl: orNull(
      t.String({ description: 'Only where the narration is free to all; else the premium audio path.' }),
    ),
    premiumContentId: orNull(t.String()),
    narrations: t.Object({ female: t.Boolean(), male: t.Boolean() }),
    isGenerating: t.Boolean(),
    wordCount: t.Integer(),
    readingMinutes: orNull(t.Integer()),
    upvotes: t.Integer(),
    downvotes: t.Integer(),
    createdAt: t.String({ description: 'ISO 8601, UTC.' }),
    updatedAt: t.String({ description: 'ISO 8601, UTC.' }),
  },
  { $id: 'Item', title: 'Item' },
)
export type Item = t.Static<typeof Item>

/** Categories and words that a member hides from every list. */
export type NeverShown = { categories: readonly string[]; words: readonly string[] }

export type ItemList = { items: Item[]; count: number; isAtLeast: boolean; nextCursor: string | null }
