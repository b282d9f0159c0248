import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { categories, contentCharactersMax, titleCharactersMax } from '#src/story/rules'
import {
  keywordCharactersMax,
  keywordsMax,
  ruleDescriptionCharactersMax,
  ruleTypes,
  severities,
} from './rules'

const phrase = t.String({ maxLength: keywordCharactersMax })
/** A list, or text with commas. */
const phrases = t.Union(
  [t.Array(phrase, { maxItems: keywordsMax }), t.String({ maxLength: keywordsMax * keywordCharactersMax })],
  { examples: [['asked her twice', 'got him drunk*']] },
)
const categoryList = t.Array(oneOf(categories), { maxItems: categories.length, examples: [['bdsm']] })

/** The Add Guideline dialog. */
export const GuidelineDraft = t.Object({
  ruleType: t.Optional(oneOf(ruleTypes)),
  keywords: phrases,
  allowed: t.Optional(phrases),
  categories: t.Optional(categoryList),
  severity: t.Optional(oneOf(severities)),
  description: t.Optional(
    t.String({ maxLength: ruleDescriptionCharactersMax, examples: ['Nobody is talked round with drink'] }),
  ),
  isActive: t.Optional(t.Boolean()),
})
export type GuidelineDraft = t.Static<typeof GuidelineDraft>

/** Changes of a rule; omitted fields stay. */
export const GuidelineChange = t.Partial(GuidelineDraft, { minProperties: 1 })
export type GuidelineChange = t.Static<typeof GuidelineChange>

/** A new rule or, with `ruleId`, a change of an existing one. */
export const PreviewRequest = t.Object(
  {
    ruleId: t.Optional(t.String({ maxLength: 64, description: 'The rule that is changed.' })),
    rule: t.Partial(GuidelineDraft),
  },
  { examples: [{ rule: { ruleType: 'negative_keywords', keywords: ['lantern'], severity: 'high' } }] },
)
export type PreviewRequest = t.Static<typeof PreviewRequest>

const count = (description: string) => t.Integer({ description, minimum: 0 })

/** The effect of a rule on the library. */
export const GuidelinePreview = t.Object({
  message: t.String({ examples: ['This would hold 79 of 80 items.'] }),
  needsConfirmation: t.Boolean({ description: 'Saving it requires `confirm=true`.' }),
  decision: oneOf(['refused', 'held', 'warned', 'passed'] as const),
  total: count('Items of the library, those of members among them.'),
  read: count('How many of them were read in time.'),
  isComplete: t.Boolean({
    description: 'False where there was no time for all: the numbers are "at least".',
  }),
  held: count('Would be held, and are not held now.'),
  alreadyHeld: count('Are held already, and would be by this rule too.'),
  approved: count('Would be held, had an operator not approved them.'),
  warned: count('Would be warned of.'),
  released: count('Are held by this rule alone, and would go back to where they were.'),
  examples: t.Array(
    t.Object({
      id: t.String(),
      title: t.String(),
      status: t.String({ examples: ['published'] }),
      field: t.String({ examples: ['content'] }),
      before: t.String({ examples: ['She lit '] }),
      match: t.String({ examples: ['the'] }),
      after: t.String({ examples: [' lamp.'] }),
    }),
  ),
})
export type GuidelinePreview = t.Static<typeof GuidelinePreview>

/** A rule in the list. Built-in ones are marked, and have no patterns. */
export const ListedGuideline = t.Object({
  id: t.String(),
  ruleType: oneOf(ruleTypes),
  keywords: t.Array(t.String()),
  allowed: t.Array(t.String()),
  categories: t.Array(t.String()),
  severity: oneOf(severities),
  description: t.String(),
  isActive: t.Boolean(),
  builtIn: t.Boolean(),
  version: t.Integer(),
  createdAt: orNull(t.String()),
  updatedAt: orNull(t.String()),
})
export type ListedGuideline = t.Static<typeof ListedGuideline>

/** A text to try the rules on, and optionally an unsaved rule. */
export const TryText = t.Object({
  text: t.String({ maxLength: contentCharactersMax, examples: ['She asked her twice.'] }),
  title: t.Optional(t.String({ maxLength: titleCharactersMax })),
  categories: t.Optional(categoryList),
  rule: t.Optional(GuidelineDraft),
})
export type TryText = t.Static<typeof TryText>

const TriedMatch = t.Object({
  ruleId: orNull(t.String({ description: 'Null for the rule that was sent along.' })),
  severity: oneOf(severities),
  description: t.String(),
  builtIn: t.Boolean(),
  version: t.Integer(),
  categories: t.Array(t.String()),
  applies: t.Boolean({ description: 'False where the rule is for other categories.' }),
  field: t.String({ examples: ['content'] }),
  keyword: t.String(),
  text: t.String({ description: 'What stands there, as it was written.' }),
  start: t.Integer({ description: 'Offset into the field, in UTF-16 units.' }),
  end: t.Integer(),
  firstWord: t.Integer({ description: 'Counted from 1.' }),
  lastWord: t.Integer(),
})

export const Tried = t.Object({
  decision: oneOf(['refused', 'held', 'warned', 'passed'] as const),
  matches: t.Array(TriedMatch),
})
export type Tried = t.Static<typeof Tried>
