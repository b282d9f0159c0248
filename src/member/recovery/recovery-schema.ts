import * as t from 'typebox'
import {
  emailCharactersMax,
  emailPattern,
  passwordBytesMax,
  passwordCharactersMin,
  tokenCharactersMax,
} from '#src/member/rules'

const token = t.String({
  minLength: 1,
  maxLength: tokenCharactersMax,
  examples: ['what stands behind token= in the link'],
})

export const EmailOnly = t.Object({
  email: t.String({
    minLength: 1,
    maxLength: emailCharactersMax,
    pattern: emailPattern,
    isEmail: true,
    examples: ['mara@example.com'],
  }),
})

export const NewPassword = t.Object({
  token,
  password: t.String({
    minLength: passwordCharactersMin,
    maxLength: passwordBytesMax,
    examples: ['a quieter evening still'],
  }),
})

export const TokenOnly = t.Object({ token })
