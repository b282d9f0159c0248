import * as t from 'typebox'
import { draftPromptCharactersMax, draftWords } from '#src/model/rules'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { pick } from '#src/shape/pick'
import { givenSchemas, shownSchemas } from '#src/story/fields'
import { categories, sources, titleCharactersMax } from '#src/story/rules'
import { creationCharactersMax, ownStates } from './rules'

const { title, type, voice } = givenSchemas
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

/** A new item of a member. */
export const UserStoryDraft = t.Object({
  title,
  content,
  categories: categoryList,
  type: t.Optional(type),
  voice: t.Optional(voice),
  narrate: t.Optional(t.Boolean({ description: 'Have it narrated at once.' })),
  draftId: t.Optional(t.String({ maxLength: 64, description: 'Of the draft that it grew out of.' })),
})
export type UserStoryDraft = t.Static<typeof UserStoryDraft>

/** An edit of an own item; omitted fields stay. */
export const UserStoryEdit = t.Partial(t.Object({ title, content, categories: categoryList, voice }))
export type UserStoryEdit = t.Static<typeof UserStoryEdit>

/** An unfinished text: no field is required. */
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

/** The fields of an item that My Content shows. */
export const userContentFields = [
  'type',
  'title',
  'content',
  'categories',
  'contentNotes',
  'duration',
  'voice',
] as const

/** An item of "My Content". */
export const UserContentItem = t.Object({
  id: t.String(),
  ...pick(shownSchemas, userContentFields),
  audioUrl: orNull(t.String()),
  createdAt: t.String({ description: 'When it came here: made, saved or begun.' }),
  updatedAt: t.String({ description: 'ISO 8601, UTC: its version, for If-Match on an own item.' }),
  isChallengeFlow: t.Boolean(),
  challengeName: orNull(t.String()),
  challengeDay: orNull(t.Integer()),
  source: oneOf(sources),
  slug: t.String(),
  isOwn: t.Boolean(),
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

/** An own item after it was created or edited. */
export const SavedUserStory = t.Object({
  ...UserContentItem.properties,
  warnings: t.Array(t.String(), { description: 'What the guidelines found and let pass.' }),
})
export type SavedUserStory = t.Static<typeof SavedUserStory>

/** The narration job of an own item, as its author sees it. */
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

/** A request for a draft. */
export const DraftRequest = t.Object({
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
export type DraftRequest = t.Static<typeof DraftRequest>

export const DraftAnswer = t.Object({
  draftId: t.String(),
  title: t.String(),
  content: t.String(),
  warnings: t.Array(t.String()),
})
export type DraftAnswer = t.Static<typeof DraftAnswer>
