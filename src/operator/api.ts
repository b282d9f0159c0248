import * as t from 'typebox'
import { about, router } from '#src/http/router'
import { endSession, giveSession } from '#src/http/sign-in-cookies'
import { nameCharactersMax } from '#src/member/rules'
import type { Parts } from '#src/parts'
import { signInOperator } from './sign-in'

/** What the token form and the call take. */
export const OperatorSignIn = t.Object({
  token: t.String({ maxLength: 512 }),
  name: t.Optional(t.String({ maxLength: nameCharactersMax, description: 'Stands in the audit log.' })),
})
const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** The operator's session: made with the secret token, held in a cookie of its own. */
export function operatorApi(parts: Parts) {
  return router()
    .get('/api/admin/status', ({ caller }) => ({ isAdmin: caller.operator !== null }), {
      response: t.Object({ isAdmin: t.Boolean() }),
      ...about('operator', 'Whether this is an operator'),
    })
    .post(
      '/api/admin/login',
      async ({ body, context, caller, request }) => {
        const userAgent = request.headers.get('user-agent') ?? ''
        const session = await signInOperator(parts, body, { userAgent, addressHash: caller.addressHash })
        await giveSession(parts, context, 'operator', session)
        return { success: true, message: 'Admin Access Granted' }
      },
      {
        body: OperatorSignIn,
        response: Done,
        ...about('operator', 'Open an operator session with the token', undefined, {
          401: 'The token is not right',
        }),
      },
    )
    .post(
      '/api/admin/logout',
      async ({ context }) => {
        await endSession(parts, context, 'operator')
        return { success: true, message: 'Admin session ended.' }
      },
      { response: Done, ...about('operator', 'End the operator session') },
    )
}
