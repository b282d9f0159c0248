import * as t from 'typebox'
import { orNull } from '#src/shape/or-null'
import { daysMax, descriptionCharactersMax, nameCharactersMax } from './rules'

/** The fields of a challenge's texts: `title` is the label in the form, `description` the help of the option. */
export const challengeTexts = {
  name: t.String({
    title: 'Name',
    description: 'Its title',
    minLength: 1,
    maxLength: nameCharactersMax,
    pattern: '\\S',
    examples: ['Ten Evenings of Ease'],
  }),
  description: t.String({
    title: 'Description',
    description: 'A sentence or two about it',
    maxLength: descriptionCharactersMax,
    examples: ['A short flow before bed, ten nights in a row or as near as life allows.'],
  }),
}
export const challengeTextNames = ['name', 'description'] as const

const date = t.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-21'] })
export const timeZone = t.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] })

/** An operator's challenge: the items of its days, in order. */
export const ChallengeDraft = t.Object({
  ...t.Partial(t.Object(challengeTexts)).properties,
  name: challengeTexts.name,
  items: t.Array(t.String({ maxLength: 64 }), {
    maxItems: daysMax,
    description: 'The id of the item of each day, day 1 first.',
    examples: [['019c0000-0000-7000-8000-000000000000']],
  }),
  isPublished: t.Optional(t.Boolean()),
})
export type ChallengeDraft = t.Static<typeof ChallengeDraft>

export const ChallengeDay = t.Object({
  day: t.Integer({ minimum: 1 }),
  id: t.String(),
  title: t.String(),
  type: t.String(),
  slug: t.String(),
  duration: t.Number({ description: 'Minutes' }),
  isAvailable: t.Boolean({
    description:
      'Whether the item is in the library now. Where it is not, only operators see its title, slug and id.',
  }),
  isHidden: t.Boolean({ description: 'Whether my settings hide it; its title then says so.' }),
})
export type ChallengeDay = t.Static<typeof ChallengeDay>

export const Challenge = t.Object({
  id: t.String(),
  ...challengeTexts,
  totalDays: t.Integer(),
  minutes: t.Number(),
  isPublished: t.Boolean(),
  days: t.Array(ChallengeDay),
  updatedAt: t.String({ description: 'ISO 8601, UTC: its version, for If-Match.' }),
})
export type Challenge = t.Static<typeof Challenge>

export const OperatorChallenge = t.Object({ ...Challenge.properties, members: t.Integer() })

/** A challenge that a member is enrolled in, with the progress. */
export const UserChallenge = t.Object({
  id: t.String(),
  ...challengeTexts,
  currentDay: t.Integer(),
  totalDays: t.Integer(),
  nextFlowDate: orNull(date),
  openDays: t.Integer(),
  doneDays: t.Integer(),
  completedDays: t.Array(t.Integer()),
  isToday: t.Boolean({ description: 'Whether the current day is open.' }),
  isPaused: t.Boolean(),
  isComplete: t.Boolean(),
  timeZone,
})
export type UserChallenge = t.Static<typeof UserChallenge>
