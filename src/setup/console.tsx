import * as t from 'typebox'
import { consoleUrls } from '#src/console-urls'
import { describeDemo } from '#src/demo/plan'
import { removeDemo, restoreDemo } from '#src/demo/remove'
import { redirect } from '#src/http/redirect'
import { emailCharactersMax } from '#src/member/rules'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { keysOf } from '#src/shape/pick'
import { Notice } from '#src/ui/notice'
import { describeSetup } from './describe-setup'
import { sendTestMail } from './send-test-mail'
import { SetupPage } from './setup-page'

/** The results of forms, which are shown on the page they redirect to. */
const said = {
  remove: 'The demo library is gone.',
  restore: 'The demo library is back.',
  mail: 'The mail is on its way. Jobs shows when the mail server has accepted it.',
} as const
const saids = keysOf(said)
const hide = { detail: { hide: true } }

/** The page /setup for the first hour of a new operator. Its plain forms work without a script, and by keyboard. */
export function setupConsole(services: Services) {
  const { db } = services
  return router()
    .get('/setup', async ({ context, query }) => setupView(context, { done: query.said }), {
      query: t.Object({ said: t.Optional(oneOf(saids)) }),
      ...hide,
    })
    .post(
      '/setup/mail',
      async ({ context, caller, body: { email } }) => {
        const send = async () => {
          await sendTestMail(services, email, operatorNameOf(caller))
          return consoleUrls.setup({ said: 'mail' })
        }
        return rerenderWithError(context, send, ({ message }) =>
          setupView(context, { mail: { email, error: message } }),
        )
      },
      { body: t.Object({ email: t.String({ maxLength: emailCharactersMax }) }), ...hide },
    )
    .post(
      '/setup/demo',
      async ({ body: { action }, caller }) => {
        const change = action === 'remove' ? removeDemo : restoreDemo
        await change(db, operatorNameOf(caller))
        return redirect(consoleUrls.setup({ said: action }))
      },
      { body: t.Object({ action: oneOf(['remove', 'restore']) }), ...hide },
    )
}

type Shown = { done?: keyof typeof said; mail?: { email: string; error: string } }

function setupView(context: RequestContext, { done, mail }: Shown): Promise<Response> {
  return consolePage(context, { title: 'First steps', room: 'Dashboard' }, async () => {
    const { services } = context
    const [setup, demo] = await Promise.all([describeSetup(services), describeDemo(services.db)])
    return (
      <>
        {done && <Notice kind="good">{said[done]}</Notice>}
        <SetupPage setup={setup} demo={demo} mail={mail ?? {}} />
      </>
    )
  })
}
