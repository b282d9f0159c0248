import * as t from 'typebox'
import { operatorLimits, operatorToken } from '#src/http/caller'
import { about, router } from '#src/http/router'
import { endSession, giveSession } from '#src/http/sign-in-cookies'
import { isSameSecret } from '#src/keyed-hash'
import { nameCharactersMax } from '#src/member/rules'
import { openSession } from '#src/member/session'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt, forgetAttempts } from '#src/throttle'
import { recordChange } from './audit'

const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** The operator's session: made with the secret token, held in a cookie of its own. */
export function operatorApi(parts: Parts) {
  const { db, secrets } = parts
  return router()
    .get('/api/admin/status', ({ caller }) => ({ isAdmin: caller.operator !== null }), {
      response: t.Object({ isAdmin: t.Boolean() }),
      ...about('operator', 'Whether this is an operator'),
    })
    .post(
      '/api/admin/login',
      async ({ body, context, caller, request }) => {
        const limits = operatorLimits(caller.addressHash)
        await countAttempt(db, limits)
        const token = body.token.trim()
        if (!token || !isSameSecret(token, operatorToken(secrets)))
          throw new Refusal('wrong_credentials', 'Invalid admin token')
        await forgetAttempts(db, limits)
        const name = body.name?.trim() || 'operator'
        const session = await openSession(db, {
          kind: 'operator',
          operatorName: name,
          userAgent: request.headers.get('user-agent') ?? '',
          addressHash: caller.addressHash,
        })
        await giveSession(parts, context, 'operator', session)
        await recordChange(db, name, { action: 'login', subjectType: 'operator' })
        return { success: true, message: 'Admin Access Granted' }
      },
      {
        body: t.Object({
          token: t.String({ maxLength: 512 }),
          name: t.Optional(
            t.String({ maxLength: nameCharactersMax, description: 'Stands in the audit log.' }),
          ),
        }),
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
