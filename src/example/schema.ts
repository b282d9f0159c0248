import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { categories } from '#src/story/rules'
import { notesCharactersMax, outputCharactersMax, promptCharactersMax, qualityRating } from './rules'

const inputPrompt = t.String({
  minLength: 1,
  maxLength: promptCharactersMax,
  pattern: '\\S',
  examples: ['Two strangers share a table on a night train'],
})
const expectedOutput = t.String({
  minLength: 1,
  maxLength: outputCharactersMax,
  pattern: '\\S',
  examples: ['There are eleven hours between the capital and the sea, and one good table…'],
})
const rating = t.Integer({ minimum: qualityRating.min, maximum: qualityRating.max, examples: [4] })

/** The fields of the Add Example dialog. */
export const ExampleDraft = t.Object({
  inputPrompt,
  expectedOutput,
  categories: t.Optional(
    t.Array(oneOf(categories), { maxItems: categories.length, examples: [['romantic']] }),
  ),
  improvementNotes: t.Optional(t.String({ maxLength: notesCharactersMax })),
})
export type ExampleDraft = t.Static<typeof ExampleDraft>

/** A change of an example; omitted fields stay. */
export const ExampleReview = t.Partial(
  t.Object({
    isApproved: t.Boolean(),
    qualityRating: orNull(rating),
    actualOutput: orNull(t.String({ maxLength: outputCharactersMax })),
    improvementNotes: orNull(t.String({ maxLength: notesCharactersMax })),
  }),
)
export type ExampleReview = t.Static<typeof ExampleReview>

export const Example = t.Object({
  id: t.String(),
  inputPrompt,
  expectedOutput,
  actualOutput: orNull(t.String()),
  categories: t.Array(t.String()),
  qualityRating: orNull(t.Integer()),
  improvementNotes: orNull(t.String()),
  isApproved: t.Boolean(),
  createdAt: t.String(),
  updatedAt: t.String(),
})
export type Example = t.Static<typeof Example>
/** An example in the console's list. */
export type ShownExample = Pick<
  Example,
  'id' | 'inputPrompt' | 'expectedOutput' | 'categories' | 'isApproved' | 'qualityRating'
>
