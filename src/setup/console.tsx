import * as t from 'typebox'
import { consoleUrls } from '#src/console-urls'
import { describeDemo } from '#src/demo/plan'
import { bringDemoBack, takeDemoAway } from '#src/demo/take-away'
import { redirect } from '#src/http/redirect'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { keysOf } from '#src/shape/pick'
import { Notice } from '#src/ui/notice'
import { describeSetup } from './describe-setup'
import { SetupPage } from './setup-page'

/** The outcome of a form, shown on the page that it redirects to. */
const said = {
  remove: 'The demo library is gone.',
  restore: 'The demo library is back.',
} as const
const actions = keysOf(said)
const hide = { detail: { hide: true } }

/** /setup: the first hour of a new operator. Plain forms: they work without a script, and by the keyboard. */
export function setupConsole(services: Services) {
  const { db } = services
  return router()
    .get(
      '/setup',
      async ({ context, query }) =>
        consolePage(context, { title: 'First steps', room: 'Dashboard' }, async () => {
          const [setup, demo] = await Promise.all([describeSetup(services), describeDemo(db)])
          return (
            <>
              {query.said && <Notice kind="good">{said[query.said]}</Notice>}
              <SetupPage setup={setup} demo={demo} />
            </>
          )
        }),
      { query: t.Object({ said: t.Optional(oneOf(actions)) }), ...hide },
    )
    .post(
      '/setup/demo',
      async ({ body: { action }, caller }) => {
        const change = action === 'remove' ? takeDemoAway : bringDemoBack
        await change(db, operatorNameOf(caller))
        return redirect(consoleUrls.setup({ said: action }))
      },
      { body: t.Object({ action: oneOf(actions) }), ...hide },
    )
}
