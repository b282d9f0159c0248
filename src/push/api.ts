import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { type Caller, memberOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { deviceWords } from '#src/session/device-words'
import { addDevice } from './add-device'
import { findPushState } from './devices'
import { removeDevice } from './remove-device'
import { PushState, Subscription } from './schema'
import { tryPush } from './try'

/** API calls for Web Push notifications, which are off until a browser is subscribed. */
export function pushApi(services: Services) {
  const state = (caller: Caller) => findPushState(services, memberOf(caller).id, caller.sid)
  return router()
    .get('/api/user/push', async ({ caller }) => state(caller), {
      response: PushState,
      ...about('push', 'My notifications, and the browsers that get them'),
    })
    .post(
      '/api/user/push',
      async ({ caller, body, request, status }) => {
        const device = deviceWords(request.headers.get('user-agent') ?? '')
        await addDevice(services, { ...subscriberOf(caller), device }, body)
        return status(201, await state(caller))
      },
      {
        body: Subscription,
        response: { 201: PushState },
        ...about(
          'push',
          'Turn notifications on in this browser',
          'What `pushManager.subscribe` gave. Messages say that something waits, and never what. At most ten browsers: the oldest is removed. Signing out there ends it.',
        ),
      },
    )
    .post(
      '/api/user/push/test',
      async ({ caller }) => {
        await tryPush(services, subscriberOf(caller))
        return { success: true, message: 'Sent. It appears in a moment.' }
      },
      {
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about('push', 'Send this browser a notification to try', 'At once, in the quiet hours too.', {
          409: 'This browser takes no notifications, or its push service is away',
        }),
      },
    )
    .delete(
      '/api/user/push/:id',
      async ({ caller, params }) => {
        const isRemoved = await removeDevice(services.db, memberOf(caller).id, params.id)
        if (!isRemoved) throw new AppError('not_found', 'There is no such browser. It may have been removed.')
        return state(caller)
      },
      {
        params: t.Object({ id: t.String({ maxLength: 100 }) }),
        response: PushState,
        ...about('push', 'Turn notifications off in a browser of mine', 'With the last one they are off.'),
      },
    )
}

function subscriberOf(caller: Caller): { userId: string; sid: string } {
  const { id } = memberOf(caller)
  if (caller.sid === null) throw new AppError('sign_in_required', 'Sign in first.')
  return { userId: id, sid: caller.sid }
}
