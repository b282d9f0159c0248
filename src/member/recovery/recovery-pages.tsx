import * as t from 'typebox'
import type { Executor } from '#db/db'
import { endedQuery } from '#src/member/data/ended-rules'
import { findMailToken } from '#src/member/email/mail-token'
import { verifyEmail, verifyLinkOver } from '#src/member/email/verify-email'
import { passwordBytesMax, tokenCharactersMax } from '#src/member/rules'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { type FormFrame, formPage, linkOver, submitForm } from '#src/sign-in/form-page'
import { deviceOf, openMemberSession } from '#src/sign-in/member-session'
import type { FormError } from '#src/ui/field-problem'
import { urls } from '#src/urls'
import { AskForm, ChooseForm, Confirmed, ConfirmForm, EmailSent } from './recovery-forms'
import { EmailOnly, TokenOnly } from './recovery-schema'
import { askForReset, choosePassword, resetLinkOver } from './reset-password'

const hide = { detail: { hide: true } }
const linkQuery = (said: string) =>
  t.Object({
    token: t.Optional(t.String({ maxLength: tokenCharactersMax })),
    said: t.Optional(t.Literal(said)),
  })

/**
 * Account recovery by mail, with plain forms. Opening a link only shows a form, so that mail scanners do not use it up.
 */
export function recoveryPages(services: Services) {
  const { db } = services
  return router()
    .get(
      '/reset-password',
      async ({ context, query: { token, said } }) =>
        formPage(context, said ? sent() : await askOrChoose(db, token)),
      { query: linkQuery('sent'), ...hide },
    )
    .post(
      '/reset-password',
      async ({ context, caller, body }) =>
        submitForm(
          context,
          async () => {
            await askForReset(services, body.email, caller.addressHash)
            return urls.resetPassword({ said: 'sent' })
          },
          (problem) => forgotForm(body.email, problem),
        ),
      { body: EmailOnly, ...hide },
    )
    .post(
      '/reset-password/choose',
      async ({ context, body }) => {
        const device = deviceOf(context)
        const work = async () => {
          const { ended, ...verified } = await choosePassword(services, body, device.addressHash)
          await openMemberSession(context, verified, device, 'reset')
          return urls.settings({ said: 'recovered', ended: endedQuery(ended) })
        }
        return submitForm(context, work, (problem) => choose(body.token, problem))
      },
      // The schema allows a short password, so that the handler refuses it and the form is shown again.
      {
        body: t.Object({ ...TokenOnly.properties, password: t.String({ maxLength: passwordBytesMax }) }),
        ...hide,
      },
    )
    .get(
      '/verify-email',
      async ({ context, query: { token, said } }) =>
        formPage(context, said ? confirmed() : await confirmOrOver(db, token)),
      { query: linkQuery('done'), ...hide },
    )
    .post(
      '/verify-email',
      async ({ context, body }) =>
        submitForm(
          context,
          async () => {
            await verifyEmail(db, body.token)
            return urls.verifyEmail({ said: 'done' })
          },
          (problem) => confirm(body.token, problem),
        ),
      { body: TokenOnly, ...hide },
    )
}

/** Shows at once that a link has expired, not only after a password was typed. The check does not use the link up. */
async function askOrChoose(db: Executor, token: string | undefined): Promise<FormFrame> {
  if (!token) return forgotForm()
  const isOpen = await findMailToken(db, 'reset', token)
  return isOpen ? choose(token) : forgotForm('', { field: null, message: resetLinkOver })
}

async function confirmOrOver(db: Executor, token = ''): Promise<FormFrame> {
  return (await findMailToken(db, 'verify', token)) ? confirm(token) : linkOver(verifyLinkOver)
}

const forgotForm = (email?: string, problem?: FormError): FormFrame => ({
  title: 'Forgotten your password?',
  words: 'It happens to everyone. We mail you a link to choose a new one.',
  body: <AskForm email={email} problem={problem} />,
})
const sent = (): FormFrame => ({
  title: 'Check your inbox',
  words: 'If there is an account with this email, a mail with a link is on its way to it.',
  body: <EmailSent />,
})
const choose = (token: string, problem?: FormError): FormFrame => ({
  title: 'Choose a new password',
  words: 'You are signed in with it here, and signed out everywhere else. Private feeds end too.',
  body: <ChooseForm token={token} problem={problem} />,
})
const confirm = (token: string, problem?: FormError): FormFrame => ({
  title: 'Is this your address?',
  words: 'One press, and we know that mails reach you.',
  body: <ConfirmForm token={token} problem={problem} />,
})
const confirmed = (): FormFrame => ({
  title: 'Thank you',
  words: 'Your email is confirmed.',
  body: <Confirmed />,
})
