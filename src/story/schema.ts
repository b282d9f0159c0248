import * as t from 'typebox'
import { categories, itemTypes, sources, voices } from './rules'

/** One of a closed list: an OpenAPI enum with a readable error. */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: t.SchemaOptions = {},
): t.TUnsafe<T[number]> {
  const union = t.Union(
    values.map((value) => t.Literal(value)),
    { error: `Expected one of: ${values.join(', ')}`, ...options },
  )
  // A union of a list that is only known as an array loses its members' types; the values are its type.
  return union as t.TSchema as t.TUnsafe<T[number]>
}

const text = (options: t.StringOptions = {}) => t.String(options)
const orNull = <T extends t.TSchema>(schema: T) => t.Union([schema, t.Null()])

/** An item as every list and page shows it (visitor.md §3, product.md §6). */
export const Item = t.Object(
  {
    id: text(),
    slug: text(),
    source: oneOf(sources),
    type: oneOf(itemTypes),
    title: text(),
    description: text(),
    excerpt: text(),
    content: text({ description: 'The whole text for members; a preview for visitors.' }),
    contentTruncated: t.Boolean(),
    categories: t.Array(oneOf(categories)),
    tags: t.Array(text()),
    contentNotes: t.Array(text()),
    duration: t.Integer({ description: 'Minutes.' }),
    audioDurationSeconds: orNull(t.Number()),
    audioUrl: orNull(
      text({ description: 'Only where the narration is free to all; else the premium audio path.' }),
    ),
    voice: oneOf(voices),
    premiumContentId: orNull(text()),
    narratorMale: orNull(text()),
    narratorFemale: orNull(text()),
    narrations: t.Object({ female: t.Boolean(), male: t.Boolean() }),
    isFree: t.Boolean(),
    isGenerating: t.Boolean(),
    wordCount: t.Integer(),
    readingMinutes: orNull(t.Integer()),
    upvotes: t.Integer(),
    downvotes: t.Integer(),
    publishedAt: text({ description: 'ISO 8601, UTC.' }),
    createdAt: text({ description: 'ISO 8601, UTC.' }),
  },
  { $id: 'Item', title: 'Item' },
)
export type Item = t.Static<typeof Item>
