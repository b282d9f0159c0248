import * as t from 'typebox'
import { AuthAnswer } from '#src/member/schema'
import { Proof } from '#src/member/settings/account-schema'
import { signedInOf } from '#src/request/caller'
import { about, jsonAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { deviceOf, openMemberSession } from '#src/sign-in/member-session'
import { addPasskey, beginPasskey, removePasskey } from './add'
import { Assertion, AssertionOptions, NewCredentialOptions, NewPasskey } from './schema'
import { askForPasskey, checkPasskey } from './sign-in'

/** API calls for passkeys (WebAuthn): adding one, and signing in with it. */
export function passkeyApi(services: Services) {
  return router()
    .post('/api/auth/passkey/options', async ({ context }) => jsonAnswer(await askForPasskey(context)), {
      response: AssertionOptions,
      ...about(
        'auth',
        'Begin to sign in with a passkey',
        'For navigator.credentials.get; good for ten minutes.',
      ),
    })
    .post(
      '/api/auth/passkey',
      async ({ body, context }) => {
        const verified = await checkPasskey(context, body)
        return {
          success: true,
          message: 'Successfully logged in! Enjoy unlimited stories.',
          user: await openMemberSession(context, verified, deviceOf(context), 'passkey'),
        }
      },
      {
        body: Assertion,
        response: AuthAnswer,
        ...about('auth', 'Sign in with a passkey', undefined, { 401: 'The passkey opens no account here' }),
      },
    )
    .post(
      '/api/user/passkeys/options',
      async ({ body, context }) => jsonAnswer(await beginPasskey(context, body)),
      {
        body: Proof,
        response: NewCredentialOptions,
        ...about('account', 'Begin to add a passkey', 'For navigator.credentials.create.', {
          409: 'There are too many already',
        }),
      },
    )
    .post(
      '/api/user/passkeys',
      async ({ body, context, status }) => {
        const { userAgent } = deviceOf(context)
        const added = await addPasskey(context, userAgent, body)
        return status(201, { success: true, message: 'The passkey is added.', ...added })
      },
      {
        body: NewPasskey,
        response: {
          201: t.Object({ success: t.Boolean(), message: t.String(), id: t.String(), name: t.String() }),
        },
        ...about('account', 'Add the passkey that the device made', undefined, {
          409: 'It is in use already, or there are too many',
        }),
      },
    )
    .delete(
      '/api/user/passkeys/:id',
      async ({ caller, params, body }) => {
        await removePasskey(services, signedInOf(caller), { ...params, ...body })
        return { success: true, message: 'The passkey is removed.' }
      },
      {
        params: t.Object({ id: t.String({ maxLength: 100 }) }),
        body: t.Optional(Proof),
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about(
          'account',
          'Remove a passkey of mine',
          'One way to sign in has to stay. Proved by a sign-in of the last ten minutes, or the password.',
          {
            409: 'It is the only way to sign in',
          },
        ),
      },
    )
}
