import * as t from 'typebox'
import {
  emailCharactersMax,
  emailPattern,
  nameCharactersMax,
  passwordBytesMax,
  passwordCharactersMin,
} from '#src/member/rules'

const name = t.Optional(
  t.Union([t.String({ maxLength: nameCharactersMax }), t.Null()], { examples: ['Mara'] }),
)

export const ProfileChanges = t.Object({ firstName: name, lastName: name }, { minProperties: 1 })
export type ProfileChanges = t.Static<typeof ProfileChanges>

export const PasswordChange = t.Object({
  currentPassword: t.String({ minLength: 1, maxLength: passwordBytesMax, examples: ['a quiet evening'] }),
  newPassword: t.String({
    minLength: passwordCharactersMin,
    maxLength: passwordBytesMax,
    examples: ['a quieter evening still'],
  }),
})
export type PasswordChange = t.Static<typeof PasswordChange>

/** The new address, and the password if the member has one. */
export const EmailChange = t.Object({
  email: t.String({
    minLength: 1,
    maxLength: emailCharactersMax,
    pattern: emailPattern,
    isEmail: true,
    examples: ['mara.lind@example.com'],
  }),
  password: t.Optional(t.String({ maxLength: passwordBytesMax, examples: ['a quiet evening'] })),
})
export type EmailChange = t.Static<typeof EmailChange>

/** Either the password or the typed email. */
export const AccountProof = t.Object(
  {
    password: t.Optional(t.String({ minLength: 1, maxLength: passwordBytesMax })),
    email: t.Optional(t.String({ maxLength: emailCharactersMax, examples: ['mara@example.com'] })),
  },
  { minProperties: 1, examples: [{ email: 'mara@example.com' }] },
)
export type AccountProof = t.Static<typeof AccountProof>

/** The password, where the sign-in is not recent. */
export const Proof = t.Object({
  password: t.Optional(
    t.String({
      maxLength: passwordBytesMax,
      description: 'Needed where the sign-in is older than ten minutes.',
      examples: ['a quiet evening'],
    }),
  ),
})
export type Proof = t.Static<typeof Proof>
