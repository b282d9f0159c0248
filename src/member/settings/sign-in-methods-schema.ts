import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { providers } from '#src/social/rules'

/** All sign-in methods of a member's account. */
export const SignInMethods = t.Object({
  hasPassword: t.Boolean(),
  identities: t.Array(
    t.Object({
      provider: oneOf(providers),
      email: t.Union([t.String(), t.Null()]),
      createdAt: t.String(),
    }),
  ),
  passkeys: t.Array(
    t.Object({
      id: t.String(),
      name: t.String({ examples: ['My phone'] }),
      createdAt: t.String(),
      lastUsedAt: t.Union([t.String(), t.Null()]),
    }),
  ),
})
export type SignInMethods = t.Static<typeof SignInMethods>
