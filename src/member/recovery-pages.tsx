import type { ReactNode } from 'react'
import * as t from 'typebox'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { DoorPage } from '#src/ui/door-page'
import { urls } from '#src/urls'
import { deviceOf, welcome } from './api'
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
        door(parts, request, context, said ? sent() : token ? choose(token) : ask()),
      { query: linkQuery('sent'), ...hide },
    )
    .post(
      '/reset-password',
      async ({ request, context, caller, body }) =>
        orAgain(
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
        return orAgain(parts, request, context, work, urls.settings({ said: 'password' }), (error) =>
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
        door(parts, request, context, said ? confirmed() : confirm(token ?? '')),
      { query: linkQuery('done'), ...hide },
    )
    .post(
      '/verify-email',
      async ({ request, context, body }) =>
        orAgain(
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

type Door = { title: string; words: string; body: ReactNode }

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

async function door(
  parts: Parts,
  request: Request,
  context: RequestContext,
  { title, words, body }: Door,
  status = 200,
): Promise<Response> {
  const viewer = await viewerOf(parts, context)
  return renderPage(parts, request, viewer, {
    status,
    frame: 'bare',
    meta: { title, isIndexed: false },
    body: (
      <DoorPage siteName={viewer.siteName} title={title} words={words}>
        {body}
      </DoorPage>
    ),
  })
}

/** Does what a form asks and leads on; a refusal shows the form again, with why. */
async function orAgain(
  parts: Parts,
  request: Request,
  context: RequestContext,
  work: () => Promise<unknown>,
  next: string,
  again: (error: string) => Door,
): Promise<Response> {
  try {
    await work()
    return new Response(null, { status: 303, headers: { location: next } })
  } catch (error) {
    const { status, message } = answerOf(error, parts.log, context.id)
    if (status >= 500) throw error
    return door(parts, request, context, again(message), status)
  }
}
