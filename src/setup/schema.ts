import * as t from 'typebox'

/**
 * The result of a check. If `isRight` is true and there is a `mend`, it is a warning: worth fixing, but not a failure.
 */
export const Finding = t.Object({
  subject: t.String({ examples: ['backup'] }),
  isRight: t.Boolean(),
  what: t.String({ examples: ['the last was made 9 days ago'] }),
  mend: t.Optional(t.String({ examples: ['Make one: nocturne backup library.zip'] })),
})
export type Finding = t.Static<typeof Finding>

/** One step to a public site, with its present state. */
export const SetupStep = t.Object({
  title: t.String({ examples: ['A backup'] }),
  isDone: t.Boolean(),
  finding: Finding,
})
export type SetupStep = t.Static<typeof SetupStep>

export const SetupState = t.Object({
  isLibraryEmpty: t.Boolean({
    description: 'Whether there is nothing in the library, or nothing but the demo.',
  }),
  steps: t.Array(SetupStep),
})
export type SetupState = t.Static<typeof SetupState>
