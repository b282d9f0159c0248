import * as t from 'typebox'
import { endedWords, recoveryWords } from '#src/member/data/ended-rules'
import { confirmNewEmail } from '#src/member/email/change-email'
import { askToVerifyAgain, verifyEmail } from '#src/member/email/verify-email'
import { AuthAnswer } from '#src/member/schema'
import { listSignInMethods } from '#src/member/settings/sign-in-methods'
import { memberOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { browserOf, deviceOf, openMemberSession } from '#src/sign-in/member-session'
import { EmailOnly, NewPassword, TokenOnly } from './recovery-schema'
import { askForReset, choosePassword } from './reset-password'

const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** The answer to everybody, whether there is such a member or not. */
const linkSentWords = 'If there is an account with this email, a mail with a link is on its way to it.'

/** Routes that send a link by mail and routes that use one: for a new password, and to confirm an address. */
export function recoveryApi(services: Services) {
  const { db } = services
  return router()
    .post(
      '/api/auth/forgot-password',
      async ({ body, caller }) => {
        await askForReset(services, body.email, caller.addressHash)
        return { success: true, message: linkSentWords }
      },
      {
        body: EmailOnly,
        response: Done,
        ...about(
          'auth',
          'Ask for a new password by mail',
          'The answer is the same whether or not there is an account.',
        ),
      },
    )
    .post(
      '/api/auth/reset-password',
      async ({ body, context }) => {
        const device = deviceOf(context)
        const { ended, ...verified } = await choosePassword(services, body, device.addressHash)
        const left = await listSignInMethods(db, verified.member.id)
        return {
          success: true,
          message: `Your password is changed. ${recoveryWords(ended, left)}`,
          user: await openMemberSession(context, verified, device, 'reset'),
        }
      },
      {
        body: NewPassword,
        response: AuthAnswer,
        ...about(
          'auth',
          'Choose a new password with the link of a mail',
          'Ends every session, private feeds, remembered devices and links in mails; where the address was never confirmed, passkeys, linked accounts and the PIN too. The message says what has ended. Signs in.',
          {
            403: 'The account is suspended, or this was sent from another site',
          },
        ),
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
      async ({ body, caller, context }) => {
        const browser = browserOf(context)
        const ended = await confirmNewEmail(services, body.token, { member: caller.member, browser })
        return { success: true, message: `Your email is changed. ${endedWords(ended)}` }
      },
      {
        body: TokenOnly,
        response: Done,
        ...about(
          'auth',
          'Change an email with the link of a mail',
          'Ends every other session, private feeds, remembered devices and links in mails. The message says what has ended.',
          {
            403: 'The account is suspended, or this was sent from another site',
            409: 'There is an account with this email already',
          },
        ),
      },
    )
    .post(
      '/api/user/verify-email',
      async ({ caller }) => {
        await askToVerifyAgain(services, memberOf(caller))
        return { success: true, message: 'A mail is on its way.' }
      },
      {
        response: Done,
        ...about('account', 'Have the mail that confirms my email sent again', undefined, {
          409: 'There is nothing to confirm',
        }),
      },
    )
}
