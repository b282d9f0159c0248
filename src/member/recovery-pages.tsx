import * as t from 'typebox'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'
import { deviceOf, welcome } from './api'
import { type Door, doorPage, orDoorAgain } from './door'
import { AskForm, ChooseForm, Confirmed, ConfirmForm, LetterSent } from './recovery-forms'
import { EmailOnly, TokenOnly } from './recovery-schema'
import { askForReset, choosePassword } from './reset-password'
import { passwordBytesMax, tokenCharactersMax } from './rules'
import { verifyEmail } from './verify-email'

const hide = { detail: { hide: true } }
const linkQuery = (said: string) =>
  t.Object({
    token: t.Optional(t.String({ maxLength: tokenCharactersMax })),
    said: t.Optional(t.Literal(said)),
  })

/** Ways back in by mail, as plain forms. A link only shows a form: what opens mail ahead of its reader uses none up. */
export function recoveryPages(parts: Parts) {
  const { db } = parts
  return router()
    .get(
      '/reset-password',
      async ({ request, context, query: { token, said } }) =>
        doorPage(parts, request, context, said ? sent() : token ? choose(token) : ask()),
      { query: linkQuery('sent'), ...hide },
    )
    .post(
      '/reset-password',
      async ({ request, context, caller, body }) =>
        orDoorAgain(
          parts,
          request,
          context,
          () => askForReset(parts, body.email, caller.addressHash),
          urls.resetPassword({ said: 'sent' }),
          (error) => ask(body.email, error),
        ),
      { body: EmailOnly, ...hide },
    )
    .post(
      '/reset-password/choose',
      async ({ request, context, body }) => {
        const device = deviceOf(request, context)
        const work = async () =>
          welcome(parts, context, await choosePassword(parts, body, device.addressHash), device, 'reset')
        return orDoorAgain(parts, request, context, work, urls.settings({ said: 'password' }), (error) =>
          choose(body.token, error),
        )
      },
      // What is too short is refused by the verb, so that the form comes back.
      {
        body: t.Object({ ...TokenOnly.properties, password: t.String({ maxLength: passwordBytesMax }) }),
        ...hide,
      },
    )
    .get(
      '/verify-email',
      async ({ request, context, query: { token, said } }) =>
        doorPage(parts, request, context, said ? confirmed() : confirm(token ?? '')),
      { query: linkQuery('done'), ...hide },
    )
    .post(
      '/verify-email',
      async ({ request, context, body }) =>
        orDoorAgain(
          parts,
          request,
          context,
          () => verifyEmail(db, body.token),
          urls.verifyEmail({ said: 'done' }),
          (error) => confirm(body.token, error),
        ),
      { body: TokenOnly, ...hide },
    )
}

const ask = (email?: string, error?: string): Door => ({
  title: 'Forgotten your password?',
  words: 'It happens to everyone. A letter brings a link to a new one.',
  body: <AskForm email={email} error={error} />,
})
const sent = (): Door => ({
  title: 'Look in your mail',
  words: 'If there is an account with this email, a letter with a link is on its way to it.',
  body: <LetterSent />,
})
const choose = (token: string, error?: string): Door => ({
  title: 'Choose a new password',
  words: 'You are signed in with it here, and signed out everywhere else.',
  body: <ChooseForm token={token} error={error} />,
})
const confirm = (token: string, error?: string): Door => ({
  title: 'Is this your address?',
  words: 'One press, and we know that letters reach you.',
  body: <ConfirmForm token={token} error={error} />,
})
const confirmed = (): Door => ({
  title: 'Thank you',
  words: 'Your email is confirmed.',
  body: <Confirmed />,
})
