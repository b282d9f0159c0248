import * as t from 'typebox'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { Button, ButtonLink } from '#src/ui/button'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { confirmNewEmail } from './change-email'
import { type Door, doorPage, orDoorAgain } from './door'
import { TokenOnly } from './recovery-schema'
import { tokenCharactersMax } from './rules'

const hide = { detail: { hide: true } }

/** Where the letter to a new address leads. The link only shows a form: what opens mail ahead of its reader changes nothing. */
export function changeEmailPages(parts: Parts) {
  return router()
    .get(
      '/change-email',
      async ({ request, context, query: { token, said } }) =>
        doorPage(parts, request, context, said ? changed() : confirm(token ?? '')),
      {
        query: t.Object({
          token: t.Optional(t.String({ maxLength: tokenCharactersMax })),
          said: t.Optional(t.Literal('done')),
        }),
        ...hide,
      },
    )
    .post(
      '/change-email',
      async ({ request, context, caller, body }) =>
        orDoorAgain(
          parts,
          request,
          context,
          () => confirmNewEmail(parts, body.token, caller),
          urls.changeEmail({ said: 'done' }),
          (error) => confirm(body.token, error),
        ),
      { body: TokenOnly, ...hide },
    )
}

const confirm = (token: string, error?: string): Door => ({
  title: 'Your new email',
  words: 'One press, and letters come to this address from now on.',
  body: <ConfirmForm token={token} error={error} />,
})
const changed = (): Door => ({
  title: 'Thank you',
  words: 'Your email is changed. Other sessions have ended.',
  body: (
    <ButtonLink kind="primary" size="lg" isBlock href={urls.settings()}>
      Settings
    </ButtonLink>
  ),
})

function ConfirmForm({ token, error }: { token: string; error?: string }) {
  return (
    <form className="stack" action={urls.changeEmail()} method="post" data-hard="">
      {error && <Notice kind="bad">{error}</Notice>}
      <input type="hidden" name="token" value={token} />
      <Button kind="primary" size="lg" isBlock type="submit">
        Yes, use this address
      </Button>
      <p className="meta">It signs you in from then on, in the place of the old one.</p>
    </form>
  )
}
