import * as t from 'typebox'
import { memberOf } from '#src/http/caller'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { deviceOf, welcome } from './api'
import { confirmNewEmail } from './change-email'
import { EmailOnly, NewPassword, TokenOnly } from './recovery-schema'
import { askForReset, choosePassword } from './reset-password'
import { AuthAnswer } from './schema'
import { askToVerifyAgain, verifyEmail } from './verify-email'

const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** Said to everyone, member or not. */
export const letterWords = 'If there is an account with this email, a letter with a link is on its way to it.'

/** Ways back in by mail (product.md §3, Sign-in). */
export function recoveryApi(parts: Parts) {
  const { db } = parts
  return router()
    .post(
      '/api/auth/forgot-password',
      async ({ body, caller }) => {
        await askForReset(parts, body.email, caller.addressHash)
        return { success: true, message: letterWords }
      },
      {
        body: EmailOnly,
        response: Done,
        ...about('auth', 'Ask for a new password by mail', 'Answers the same whether there is an account.'),
      },
    )
    .post(
      '/api/auth/reset-password',
      async ({ body, context, request }) => {
        const device = deviceOf(request, context)
        const member = await choosePassword(parts, body, device.addressHash)
        return {
          success: true,
          message: 'Your password is changed. Other sessions have ended.',
          user: await welcome(parts, context, member, device, 'reset'),
        }
      },
      {
        body: NewPassword,
        response: AuthAnswer,
        ...about('auth', 'Choose a new password with the link of a mail', 'Ends every session; signs in.', {
          403: 'The account is suspended, or this was sent from another site',
        }),
      },
    )
    .post(
      '/api/auth/verify-email',
      async ({ body }) => {
        await verifyEmail(db, body.token)
        return { success: true, message: 'Your email is confirmed.' }
      },
      {
        body: TokenOnly,
        response: Done,
        ...about('auth', 'Confirm an email with the link of a mail', 'Nobody has to be signed in.'),
      },
    )
    .post(
      '/api/auth/change-email',
      async ({ body, caller }) => {
        await confirmNewEmail(parts, body.token, caller)
        return { success: true, message: 'Your email is changed. Other sessions have ended.' }
      },
      {
        body: TokenOnly,
        response: Done,
        ...about('auth', 'Change an email with the link of a mail', 'Ends every other session.', {
          403: 'The account is suspended, or this was sent from another site',
          409: 'There is an account with this email already',
        }),
      },
    )
    .post(
      '/api/user/verify-email',
      async ({ caller }) => {
        await askToVerifyAgain(parts, memberOf(caller))
        return { success: true, message: 'A letter is on its way.' }
      },
      {
        response: Done,
        ...about('account', 'Have the letter that confirms my email sent again', undefined, {
          409: 'There is nothing to confirm',
        }),
      },
    )
}
