import * as t from 'typebox'
import { draftPromptCharactersMax, draftWords } from '#src/model/rules'
import { categories, itemTypes, sources, titleCharactersMax, voices } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { creationCharactersMax, ownStates } from './rules'

const orNull = <T extends t.TSchema>(schema: T) => t.Union([schema, t.Null()])
const title = t.String({
  minLength: 1,
  maxLength: titleCharactersMax,
  pattern: '\\S',
  examples: ['The Orchard in Halves'],
})
const content = t.String({
  minLength: 1,
  maxLength: creationCharactersMax,
  pattern: '\\S',
  examples: ['The orchard belonged to nobody that summer…'],
})
const categoryList = t.Array(oneOf(categories), {
  minItems: 1,
  maxItems: categories.length,
  examples: [['romantic']],
})
const voice = t.String({
  minLength: 1,
  maxLength: 40,
  examples: ['serena'],
  description: "female, male, or a narrator's name",
})

/** What a member makes (product.md §3 "Create"). */
export const CreationDraft = t.Object({
  title,
  content,
  categories: categoryList,
  type: t.Optional(oneOf(itemTypes)),
  voice: t.Optional(voice),
  narrate: t.Optional(t.Boolean({ description: 'Have it narrated at once.' })),
  draftId: t.Optional(t.String({ maxLength: 64, description: 'Of the draft that it grew out of.' })),
})
export type CreationDraft = t.Static<typeof CreationDraft>

/** What is left out stays. */
export const CreationEdit = t.Partial(t.Object({ title, content, categories: categoryList, voice }))
export type CreationEdit = t.Static<typeof CreationEdit>

/** A text that is still being written: nothing has to be there yet. */
export const TextToCheck = t.Object({
  title: t.String({ maxLength: titleCharactersMax }),
  content: t.String({ maxLength: creationCharactersMax }),
  categories: t.Array(oneOf(categories), { maxItems: categories.length }),
})

export const Hint = t.Object({
  kind: oneOf(['change', 'review', 'look'] as const, {
    description: 'It has to change, an operator would look at it first, or it is worth a second look.',
  }),
  field: t.String({ examples: ['content'] }),
  message: t.String({ examples: ['“nobody said yes”, word 14: say in the text that both agree.'] }),
})
export type Hint = t.Static<typeof Hint>

/** An item of "My Content" (visitor.md §3). */
export const UserContentItem = t.Object({
  id: t.String(),
  type: oneOf(itemTypes),
  title: t.String(),
  content: t.String(),
  categories: t.Array(t.String()),
  contentNotes: t.Array(t.String()),
  duration: t.Integer({ description: 'Minutes.' }),
  audioUrl: orNull(t.String()),
  createdAt: t.String({ description: 'When it came here: made, saved or begun.' }),
  isChallengeFlow: t.Boolean(),
  challengeName: orNull(t.String()),
  challengeDay: orNull(t.Integer()),
  source: oneOf(sources),
  slug: t.String(),
  isOwn: t.Boolean(),
  voice: oneOf(voices),
  narrator: orNull(t.String()),
  wordCount: t.Integer(),
  audioDurationSeconds: orNull(t.Number()),
  isGenerating: t.Boolean(),
  state: orNull(oneOf(ownStates, { description: 'Of own items: who sees it, or what it waits for.' })),
  narration: orNull(
    t.Object(
      { state: oneOf(['queued', 'running', 'done', 'failed', 'cancelled'] as const), progress: t.Number() },
      { description: 'Of own items: the last job that was to narrate it.' },
    ),
  ),
  reviewNote: orNull(t.String({ description: 'Why it was not shared, or was taken out.' })),
})
export type UserContentItem = t.Static<typeof UserContentItem>

/** The narration of an own item, as its maker sees it. */
export const OwnJob = t.Object({
  id: t.String(),
  state: oneOf(['queued', 'running', 'done', 'failed', 'cancelled'] as const),
  progress: t.Number({ minimum: 0, maximum: 1 }),
  error: orNull(t.String()),
  createdAt: t.String(),
  finishedAt: orNull(t.String()),
})
export type OwnJob = t.Static<typeof OwnJob>

export const MemberLimits = t.Object({
  wordsMax: t.Integer({ examples: [4_000] }),
  narrationsADay: t.Integer({ examples: [3] }),
  narrationsLeft: t.Integer({ examples: [2] }),
  draftsADay: t.Integer({ examples: [10] }),
  draftsLeft: t.Integer({ examples: [10] }),
  resetsAt: t.String({ examples: ['2026-11-22T00:00:00.000Z'] }),
})
export type MemberLimits = t.Static<typeof MemberLimits>

/** What a draft is asked for with. */
export const DraftWish = t.Object({
  prompt: t.String({
    minLength: 1,
    maxLength: draftPromptCharactersMax,
    pattern: '\\S',
    examples: ['Two neighbours share a ladder and an orchard for one summer.'],
  }),
  categories: t.Array(oneOf(categories), { maxItems: categories.length, examples: [['romantic']] }),
  words: t.Optional(t.Integer({ minimum: draftWords.min, maximum: draftWords.max })),
  discards: t.Optional(t.String({ maxLength: 64, description: 'The draft before, which was no good.' })),
})
export type DraftWish = t.Static<typeof DraftWish>

export const DraftAnswer = t.Object({
  draftId: t.String(),
  title: t.String(),
  content: t.String(),
  warnings: t.Array(t.String()),
})
export type DraftAnswer = t.Static<typeof DraftAnswer>
