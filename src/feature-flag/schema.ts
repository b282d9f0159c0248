import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { flagNames, flagWords, freeStoriesMax } from './rules'

/** The values that the flags accept. */
export const FlagValues = t.Object({
  freeStoryLimit: t.Integer({ minimum: 0, maximum: freeStoriesMax, examples: [5] }),
  registrationOpen: t.Boolean(),
  modelDrafting: t.Boolean(),
  memberSharing: t.Boolean(),
  jobQueue: t.Boolean(),
})
export type FlagValues = t.Static<typeof FlagValues>

const { freeStoryLimit, registrationOpen, modelDrafting, memberSharing, jobQueue } = FlagValues.properties

/** Changes of flags; null resets a flag to its default. */
export const FlagChanges = t.Object(
  {
    freeStoryLimit: t.Optional(t.Union([freeStoryLimit, t.Null()], described('freeStoryLimit'))),
    registrationOpen: t.Optional(t.Union([registrationOpen, t.Null()], described('registrationOpen'))),
    modelDrafting: t.Optional(t.Union([modelDrafting, t.Null()], described('modelDrafting'))),
    memberSharing: t.Optional(t.Union([memberSharing, t.Null()], described('memberSharing'))),
    jobQueue: t.Optional(t.Union([jobQueue, t.Null()], described('jobQueue'))),
  },
  { minProperties: 1, examples: [{ freeStoryLimit: 5, registrationOpen: null }] },
)
export type FlagChanges = t.Static<typeof FlagChanges>

function described(name: keyof typeof flagWords) {
  return { description: `${flagWords[name].words} Null: the default again.` }
}

const value = t.Union([t.Integer(), t.Boolean()], { examples: [5] })

export const ListedFlag = t.Object({
  name: oneOf(flagNames),
  value,
  default: value,
  isDefault: t.Boolean({ description: 'Whether the default applies.' }),
  updatedBy: t.Union([t.String(), t.Null()], { description: 'Who changed it last.', examples: ['Ada'] }),
  updatedAt: t.Union([t.String(), t.Null()], { examples: ['2026-11-20T20:15:00.000Z'] }),
})
export type ListedFlag = t.Static<typeof ListedFlag>
