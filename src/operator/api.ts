import * as t from 'typebox'
import { nameCharactersMax } from '#src/member/rules'
import { requireOperator } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { endSession, giveSession } from '#src/session/session-cookies'
import { endOperatorSession, endOtherOperatorSessions, listOperatorSessions } from './session'
import { OperatorSession } from './session-schema'
import { signInOperator } from './sign-in'

/** The input of the token form and of the call. */
export const OperatorSignIn = t.Object({
  token: t.String({ maxLength: 512 }),
  name: t.Optional(t.String({ maxLength: nameCharactersMax, description: 'Stands in the audit log.' })),
})
const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** API calls of the operator's session, which is opened with the secret token and has its own cookie. */
export function operatorApi(services: Services) {
  return router()
    .get('/api/admin/status', ({ caller }) => ({ isAdmin: caller.operator !== null }), {
      response: t.Object({ isAdmin: t.Boolean() }),
      ...about('operator', 'Whether the caller is an operator'),
    })
    .post(
      '/api/admin/login',
      async ({ body, context, caller, request }) => {
        const userAgent = request.headers.get('user-agent') ?? ''
        const session = await signInOperator(services, body, { userAgent, addressHash: caller.addressHash })
        await giveSession(context, 'operator', session)
        return { success: true, message: 'Admin Access Granted' }
      },
      {
        body: OperatorSignIn,
        response: Done,
        ...about('operator', 'Open an operator session with the token', undefined, {
          401: 'The token is wrong',
        }),
      },
    )
    .post(
      '/api/admin/logout',
      async ({ context }) => {
        await endSession(context, 'operator')
        return { success: true, message: 'Admin session ended.' }
      },
      { response: Done, ...about('operator', 'End the operator session') },
    )
    .get(
      '/api/admin/sessions',
      async ({ caller }) => listOperatorSessions(services, requireOperator(caller).sid),
      {
        response: t.Array(OperatorSession),
        ...about('sessions', 'List the open sessions of operators, the last used first'),
      },
    )
    .delete(
      '/api/admin/sessions/:id',
      async ({ params: { id }, caller }) => {
        await endOperatorSession(services, id, requireOperator(caller).name)
        return { success: true }
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: t.Object({ success: t.Boolean() }),
        ...about('sessions', 'End a session of an operator'),
      },
    )
    .delete(
      '/api/admin/sessions',
      async ({ caller }) => {
        const { name, sid } = requireOperator(caller)
        return { success: true, ended: await endOtherOperatorSessions(services, name, sid) }
      },
      {
        response: t.Object({ success: t.Boolean(), ended: t.Integer({ minimum: 0, examples: [2] }) }),
        ...about(
          'sessions',
          'End all other sessions of operators',
          'All but the calling one; called with the token itself, all.',
        ),
      },
    )
}
