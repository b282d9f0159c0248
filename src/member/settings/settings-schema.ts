import * as t from 'typebox'
import { speeds } from '#src/listening/rules'
import { hiddenWordCharactersMax, hiddenWordsMax } from '#src/member/rules'
import { switchPanels } from '#src/member/settings/switch-panel-rules'
import { oneOf } from '#src/shape/one-of'
import { keysOf, recordOf } from '#src/shape/pick'
import { categories } from '#src/story/rules'

export const themes = ['dark', 'paper'] as const

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

/** Omitted settings stay. */
export const SettingsChanges = t.Object(t.Partial(Settings).properties, { minProperties: 1 })
export type SettingsChanges = t.Static<typeof SettingsChanges>

const panels = keysOf(switchPanels)
const switches = panels.map((panel) => switchPanels[panel].setting)

/** Fields of a panel's form without a script: its switch (on or omitted), or the theme. */
export const PreferenceForm = t.Object({
  panel: t.Optional(oneOf(panels)),
  ...recordOf(switches, () => t.Optional(t.String({ maxLength: 10 }))),
  theme: t.Optional(t.String({ maxLength: 10 })),
})

/** The settings that have a control on the settings page. */
export const shownSettings = [...switches, 'theme', 'hiddenCategories', 'hiddenWords'] as const

/** A change in "Never show me": `category` toggles a category, `word` adds a word, `shownWord` removes one. */
export const HideForm = t.Object({
  category: t.Optional(oneOf(categories)),
  word: t.Optional(t.String({ maxLength: hiddenWordCharactersMax })),
  shownWord: t.Optional(t.String({ maxLength: hiddenWordCharactersMax })),
})
export type HideForm = t.Static<typeof HideForm>
