import * as t from 'typebox'
import { speeds } from '#src/listening/rules'
import { categories } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { hiddenWordCharactersMax, hiddenWordsMax } from './rules'

export const themes = ['dark', 'paper'] as const

/** What a member has chosen (product.md §8, Values). */
export const Settings = t.Object({
  emailNotifications: t.Boolean(),
  pushNotifications: t.Boolean(),
  autoPlayNext: t.Boolean(),
  playbackSpeed: t.Number({
    minimum: Math.min(...speeds),
    maximum: Math.max(...speeds),
    multipleOf: 0.25,
    description: 'Times as fast as spoken.',
    examples: [1.25],
  }),
  theme: t.Union([oneOf(themes), t.Null()], {
    description: 'Null: as the system is set.',
    examples: ['paper'],
  }),
  discreetMode: t.Boolean(),
  hiddenCategories: t.Array(oneOf(categories), { maxItems: categories.length, examples: [['bdsm']] }),
  hiddenWords: t.Array(t.String({ minLength: 1, maxLength: hiddenWordCharactersMax, pattern: '\\S' }), {
    maxItems: hiddenWordsMax,
    examples: [['needles']],
  }),
})
export type Settings = t.Static<typeof Settings>

/** What is left out stays. */
export const SettingsChanges = t.Object(t.Partial(Settings).properties, { minProperties: 1 })
export type SettingsChanges = t.Static<typeof SettingsChanges>

/** What a press in "Never show me" asks for: a category turned, a word added or taken away. */
export const HideForm = t.Object({
  category: t.Optional(oneOf(categories)),
  word: t.Optional(t.String({ maxLength: hiddenWordCharactersMax })),
  shownWord: t.Optional(t.String({ maxLength: hiddenWordCharactersMax })),
})
export type HideForm = t.Static<typeof HideForm>
