import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { givenSchemas, minutesOf, shownSchemas } from './fields'
import {
  durationMinutesMax,
  editMinutes,
  sentCharactersMax,
  singleStoryMinutes,
  sources,
  titleCharactersMax,
} from './rules'

const { title, content, narratorFemale, narratorMale, ...fields } = givenSchemas
const { type, ...editedFields } = fields

/** An operator's new item. */
export const PremiumDraft = t.Object({
  title,
  content,
  ...t.Partial(t.Object(fields)).properties,
  generateAudio: t.Optional(t.Boolean()),
})
export type PremiumDraft = t.Static<typeof PremiumDraft>

/** The edit dialog's fields. Omitted ones stay. */
export const PremiumEdit = t.Partial(
  t.Object({
    title,
    content,
    ...editedFields,
    duration: t.Integer({
      minimum: 1,
      maximum: durationMinutesMax,
      description: `From ${editMinutes.min} to ${editMinutes.max}, or the length that the item has.`,
    }),
  }),
)
export type PremiumEdit = t.Static<typeof PremiumEdit>

/** The single-story form. */
export const StoryDraft = t.Object({
  title,
  content,
  categories: t.Optional(fields.categories),
  duration: t.Optional(minutesOf(singleStoryMinutes)),
  voice: t.Optional(fields.voice),
  source: t.Optional(oneOf(sources)),
})

/** The single-story form without a script: one category, and the default for minutes that are no number. */
export const StoryForm = t.Object({
  title,
  content,
  category: t.Optional(fields.categories.items),
  duration: t.Optional(t.String({ maxLength: 10 })),
  voice: t.Optional(fields.voice),
})

const typed = t.Optional(t.String())
/** The same form as it was typed. Its handler checks it, so that a refused form can be shown again. */
export const TypedStory = t.Object({
  title: typed,
  content: typed,
  category: typed,
  duration: typed,
  voice: typed,
})
export type TypedStory = t.Static<typeof TypedStory>

/** One line of the box for bulk imports. */
export const BulkStory = t.Object({
  line: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      description: 'The line that it stands in, by which answers name it; else its place in the list.',
      examples: [2],
    }),
  ),
  title: t.String({ maxLength: titleCharactersMax, examples: ['The Night Ferry'] }),
  category: t.Optional(t.String({ maxLength: 200, examples: ['romantic'] })),
  tags: t.Optional(
    t.Union([t.String({ maxLength: 2_000 }), t.Array(t.String({ maxLength: 200 }), { maxItems: 50 })], {
      examples: ['sea, strangers'],
    }),
  ),
  story: t.String({ maxLength: sentCharactersMax, examples: ['The last boat left at ten…'] }),
})

/** An item with its whole text, as operators see it. */
export const PremiumItem = t.Object({
  id: t.String(),
  slug: t.String(),
  ...shownSchemas,
  audioDurationSeconds: t.Union([t.Number(), t.Null()]),
  generateAudio: t.Boolean({ description: 'A job is making its narration.' }),
  audioUrl: orNull(t.String()),
  linkedAudioMale: orNull(t.String()),
  linkedAudioFemale: orNull(t.String()),
  wordCount: t.Integer(),
  createdAt: t.String(),
  updatedAt: t.String({ description: 'ISO 8601, UTC: its version, for If-Match.' }),
  source: oneOf(sources),
  warnings: t.Optional(
    t.Array(t.String(), { description: 'After a write: what the guidelines found and let pass.' }),
  ),
})
export type PremiumItem = t.Static<typeof PremiumItem>
