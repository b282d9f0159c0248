import * as t from 'typebox'
import {
  categories,
  descriptionCharactersMax,
  editMinutes,
  excerptFieldCharactersMax,
  itemTypes,
  premiumMinutes,
  sentCharactersMax,
  singleStoryMinutes,
  sources,
  statuses,
  tagCharactersMax,
  tagsMax,
  titleCharactersMax,
} from './rules'
import { oneOf } from './schema'

const minutes = (range: { min: number; max: number }) =>
  t.Integer({
    minimum: range.min,
    maximum: range.max,
    error: `Expected whole minutes from ${range.min} to ${range.max}`,
    examples: [15],
  })
const title = t.String({
  minLength: 1,
  maxLength: titleCharactersMax,
  pattern: '\\S',
  examples: ['The Night Ferry'],
})
const content = t.String({
  minLength: 1,
  maxLength: sentCharactersMax,
  pattern: '\\S',
  examples: ['The last boat left at ten…'],
})
const list = t.Array(oneOf(categories), { maxItems: categories.length, examples: [['romantic']] })
const tag = t.String({ maxLength: tagCharactersMax })
/** A list, or text with commas (operator.md §5). */
const tags = t.Union(
  [t.Array(tag, { maxItems: tagsMax }), t.String({ maxLength: tagsMax * tagCharactersMax })],
  { examples: [['sea', 'strangers']] },
)
/** `female`, `male`, or a narrator's name (product.md §8). */
const voice = t.String({
  minLength: 1,
  maxLength: 40,
  examples: ['female'],
  description: "female, male, or a narrator's name",
})

/** The single-story form (operator.md §2 and §5). */
export const StoryDraft = t.Object({
  title,
  content,
  categories: t.Optional(list),
  duration: t.Optional(minutes(singleStoryMinutes)),
  voice: t.Optional(voice),
  source: t.Optional(oneOf(sources)),
})

/** One line of the bulk box. */
export const BulkStory = t.Object({
  title: t.String({ maxLength: titleCharactersMax, examples: ['The Night Ferry'] }),
  category: t.Optional(t.String({ maxLength: 200, examples: ['romantic'] })),
  tags: t.Optional(
    t.Union([t.String({ maxLength: 2_000 }), t.Array(t.String({ maxLength: 200 }), { maxItems: 50 })], {
      examples: ['sea, strangers'],
    }),
  ),
  story: t.String({ maxLength: sentCharactersMax, examples: ['The last boat left at ten…'] }),
})

/** Premium content as the operator makes it (operator.md §3). */
export const PremiumDraft = t.Object({
  title,
  content,
  type: t.Optional(oneOf(itemTypes)),
  description: t.Optional(t.String({ maxLength: descriptionCharactersMax })),
  excerpt: t.Optional(t.String({ maxLength: excerptFieldCharactersMax })),
  categories: t.Optional(list),
  voice: t.Optional(voice),
  duration: t.Optional(minutes(premiumMinutes)),
  tags: t.Optional(tags),
  contentNotes: t.Optional(t.Array(t.String({ maxLength: 200 }), { maxItems: tagsMax })),
  generateAudio: t.Optional(t.Boolean()),
  isFree: t.Optional(t.Boolean({ description: 'A free sample: visitors may hear it.' })),
  status: t.Optional(oneOf(['draft', 'scheduled', 'published'] as const)),
  publishedAt: t.Optional(
    t.String({ maxLength: 40, description: 'ISO 8601; with status scheduled, when it appears.' }),
  ),
})

/** What the edit dialog sends; what is left out stays. */
export const PremiumEdit = t.Partial(
  t.Object({
    title,
    content,
    description: t.String({ maxLength: descriptionCharactersMax }),
    excerpt: t.String({ maxLength: excerptFieldCharactersMax }),
    categories: list,
    duration: t.Integer({
      minimum: 1,
      maximum: 600,
      description: `From ${editMinutes.min} to ${editMinutes.max}, or the length that the item has.`,
    }),
    voice,
    tags,
    contentNotes: t.Array(t.String({ maxLength: 200 }), { maxItems: tagsMax }),
    isFree: t.Boolean(),
    status: oneOf(['draft', 'scheduled', 'published'] as const),
    publishedAt: t.String({ maxLength: 40 }),
  }),
)
export type PremiumEdit = t.Static<typeof PremiumEdit>

const orNull = t.Union([t.String(), t.Null()])

/** An item as operators see it (operator.md §3), with its whole text. */
export const PremiumItem = t.Object({
  id: t.String(),
  slug: t.String(),
  title: t.String(),
  description: t.String(),
  excerpt: t.String(),
  content: t.String(),
  type: oneOf(itemTypes),
  status: oneOf(statuses),
  categories: t.Array(t.String()),
  voice: t.String(),
  narratorFemale: orNull,
  narratorMale: orNull,
  duration: t.Integer(),
  audioDurationSeconds: t.Union([t.Number(), t.Null()]),
  tags: t.Array(t.String()),
  contentNotes: t.Array(t.String()),
  generateAudio: t.Boolean({ description: 'A job is making its narration.' }),
  isFree: t.Boolean(),
  audioUrl: orNull,
  linkedAudioMale: orNull,
  linkedAudioFemale: orNull,
  wordCount: t.Integer(),
  publishedAt: t.String(),
  createdAt: t.String(),
  warnings: t.Optional(
    t.Array(t.String(), { description: 'After a write: what the guidelines found and let pass.' }),
  ),
})
export type PremiumItem = t.Static<typeof PremiumItem>
