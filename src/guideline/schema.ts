import * as t from 'typebox'
import { categories, contentCharactersMax, titleCharactersMax } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import {
  decisions,
  keywordCharactersMax,
  keywordsMax,
  ruleDescriptionCharactersMax,
  ruleTypes,
  severities,
} from './rules'

const phrase = t.String({ maxLength: keywordCharactersMax })
/** A list, or text with commas (operator.md §5). */
const phrases = t.Union(
  [t.Array(phrase, { maxItems: keywordsMax }), t.String({ maxLength: keywordsMax * keywordCharactersMax })],
  { examples: [['asked her twice', 'got him drunk*']] },
)
const categoryList = t.Array(oneOf(categories), { maxItems: categories.length, examples: [['bdsm']] })
const orNull = <T extends t.TSchema>(schema: T) => t.Union([schema, t.Null()])

/** The Add Guideline dialog (operator.md §3 and §5). */
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

/** A rule as it is listed; the built-in ones say so, and keep what they look for to themselves. */
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

/** A text to try the rules on, and perhaps a rule that is not there yet. */
export const TryText = t.Object({
  text: t.String({ maxLength: contentCharactersMax, examples: ['She asked her twice.'] }),
  title: t.Optional(t.String({ maxLength: titleCharactersMax })),
  categories: t.Optional(categoryList),
  rule: t.Optional(GuidelineDraft),
})
export type TryText = t.Static<typeof TryText>

export const TriedMatch = t.Object({
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

export const HeldItem = t.Object({
  id: t.String(),
  title: t.String(),
  type: t.String(),
  source: t.String(),
  isShared: t.Boolean({ description: "A member's own that is to be shared with others." }),
  categories: t.Array(t.String()),
  heldFrom: orNull(t.String({ description: 'What it becomes once it is approved.' })),
  updatedAt: t.String(),
  findings: t.Array(
    t.Object({
      ruleId: t.String(),
      description: t.String(),
      severity: oneOf(severities),
      decision: oneOf(decisions),
      places: t.Array(
        t.Object({ field: t.String(), start: t.Integer(), end: t.Integer(), text: t.String() }),
      ),
    }),
  ),
})
