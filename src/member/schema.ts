import * as t from 'typebox'
import {
  emailCharactersMax,
  emailPattern,
  nameCharactersMax,
  passwordBytesMax,
  passwordCharactersMin,
} from './rules'

const email = t.String({
  minLength: 1,
  maxLength: emailCharactersMax,
  pattern: emailPattern,
  isEmail: true,
  examples: ['mara@example.com'],
})

export const SignIn = t.Object({
  email,
  password: t.String({ minLength: 1, maxLength: passwordBytesMax, examples: ['a quiet evening'] }),
})
export type SignIn = t.Static<typeof SignIn>

export const Registration = t.Object({
  email,
  password: t.String({
    minLength: passwordCharactersMin,
    maxLength: passwordBytesMax,
    examples: ['a quiet evening'],
  }),
  firstName: t.Optional(t.String({ maxLength: nameCharactersMax, examples: ['Mara'] })),
  lastName: t.Optional(t.String({ maxLength: nameCharactersMax, examples: ['Lind'] })),
})
export type Registration = t.Static<typeof Registration>

/** The signed-in member as sent to the browser. */
export const CurrentUser = t.Object({
  id: t.String(),
  email: t.Union([t.String(), t.Null()]),
  firstName: t.Union([t.String(), t.Null()]),
  lastName: t.Union([t.String(), t.Null()]),
  createdAt: t.String(),
  oauthProvider: t.Union([t.String(), t.Null()]),
})
export type CurrentUser = t.Static<typeof CurrentUser>

export const AuthAnswer = t.Object({ success: t.Boolean(), message: t.String(), user: CurrentUser })
