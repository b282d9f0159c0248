import * as t from 'typebox'
import { emailCharactersMax, emailPattern } from '#src/member/rules'

/** A sign-up for the beta, by call or form. */
export const BetaSignUp = t.Object({
  email: t.String({
    minLength: 1,
    maxLength: emailCharactersMax,
    pattern: emailPattern,
    isEmail: true,
    examples: ['mara@example.com'],
  }),
  source: t.Optional(t.String({ maxLength: 64, examples: ['upgrade_box'] })),
})
export type BetaSignUp = t.Static<typeof BetaSignUp>
