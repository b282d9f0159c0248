import * as t from 'typebox'
import type { Executor } from '#db/db'
import { type Ended, endedQuery, endedWords, readEnded } from '#src/member/data/ended-rules'
import { TokenOnly } from '#src/member/recovery/recovery-schema'
import { tokenCharactersMax } from '#src/member/rules'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { type FormFrame, formPage, linkOver, submitForm } from '#src/sign-in/form-page'
import { browserOf } from '#src/sign-in/member-session'
import { Button, ButtonLink } from '#src/ui/button'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { urls } from '#src/urls'
import { confirmNewEmail, emailLinkOver } from './change-email'
import { findMailToken } from './mail-token'

const hide = { detail: { hide: true } }

/**
 * The page of the link that is mailed to a new address. Opening the link only shows a form, so that mail scanners
 * change nothing.
 */
export function changeEmailPages(services: Services) {
  return router()
    .get(
      '/change-email',
      async ({ context, query: { token, said, ended } }) =>
        formPage(context, said ? changed(readEnded(ended)) : await confirmOrOver(services.db, token)),
      {
        query: t.Object({
          token: t.Optional(t.String({ maxLength: tokenCharactersMax })),
          said: t.Optional(t.Literal('done')),
          ended: t.Optional(t.String({ maxLength: 500 })),
        }),
        ...hide,
      },
    )
    .post(
      '/change-email',
      async ({ context, caller, body }) =>
        submitForm(
          context,
          async () => {
            const browser = browserOf(context)
            const ended = await confirmNewEmail(services, body.token, { member: caller.member, browser })
            return urls.changeEmail({ said: 'done', ended: endedQuery(ended) })
          },
          (problem) => confirm(body.token, problem),
        ),
      { body: TokenOnly, ...hide },
    )
}

async function confirmOrOver(db: Executor, token = ''): Promise<FormFrame> {
  return (await findMailToken(db, 'email', token)) ? confirm(token) : linkOver(emailLinkOver)
}

const confirm = (token: string, problem?: FormError): FormFrame => ({
  title: 'Your new email',
  words: 'One press, and mails come to this address from now on.',
  body: <ConfirmForm token={token} problem={problem} />,
})
const changed = (ended: Ended): FormFrame => ({
  title: 'Thank you',
  words: `Your email is changed. ${endedWords(ended)}`,
  body: (
    <ButtonLink kind="primary" size="lg" isBlock href={urls.settings()}>
      Settings
    </ButtonLink>
  ),
})

function ConfirmForm({ token, problem }: { token: string; problem?: FormError }) {
  return (
    <form className="stack" action={urls.changeEmail()} method="post" data-hard="">
      <FormFields problem={problem} />
      <input type="hidden" name="token" value={token} />
      <Button kind="primary" size="lg" isBlock type="submit">
        Yes, use this address
      </Button>
      <p className="meta">It then signs you in, in place of the old one.</p>
    </form>
  )
}
