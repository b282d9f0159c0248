import * as t from 'typebox'
import { about, router } from '#src/request/router'
import { typedPin } from './typed-pin'
import { unlock } from './unlock'

export function pinApi() {
  return router().post(
    '/api/auth/unlock',
    async ({ context, body }) => {
      await unlock(context, body.pin)
      return { success: true, message: 'Unlocked.' }
    },
    {
      body: t.Object({ pin: typedPin }),
      response: t.Object({ success: t.Boolean(), message: t.String() }),
      ...about('auth', 'Enter the PIN', 'Calls of a session behind a PIN answer 403 `locked` until then.', {
        401: 'Another PIN',
      }),
    },
  )
}
