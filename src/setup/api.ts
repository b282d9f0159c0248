import * as t from 'typebox'
import { emailCharactersMax } from '#src/member/rules'
import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { describeSetup } from './describe-setup'
import { SetupState } from './schema'
import { sendTestMail } from './send-test-mail'

/** API calls for the first steps of a new operator. */
export function setupApi(services: Services) {
  return router()
    .get('/api/setup', () => describeSetup(services), {
      response: SetupState,
      ...about('setup', 'What is left to do for a public site, as the program finds it'),
    })
    .post(
      '/api/setup/mail',
      async ({ body: { email }, caller }) => {
        await sendTestMail(services, email, operatorNameOf(caller))
        return { success: true }
      },
      {
        body: t.Object({ email: t.String({ maxLength: emailCharactersMax }) }),
        response: t.Object({ success: t.Boolean() }),
        ...about('setup', 'Queue a test mail to an address of the operator'),
      },
    )
}
