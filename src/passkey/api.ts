import * as t from 'typebox'
import { memberOf } from '#src/http/caller'
import { about, jsonAnswer, router } from '#src/http/router'
import { deviceOf, welcome } from '#src/member/api'
import { AuthAnswer } from '#src/member/schema'
import type { Parts } from '#src/parts'
import { addPasskey, beginPasskey, removePasskey } from './add'
import { Assertion, BrowserOptions, NewPasskey, Proof } from './schema'
import { askForPasskey, checkPasskey } from './sign-in'

/** Passkeys (WebAuthn): added by a member, and a way in for whoever holds one. */
export function passkeyApi(parts: Parts) {
  return router()
    .post(
      '/api/auth/passkey/options',
      async ({ context }) => jsonAnswer(await askForPasskey(parts, context)),
      {
        response: BrowserOptions,
        ...about(
          'auth',
          'Begin to sign in with a passkey',
          'For navigator.credentials.get; good for ten minutes.',
        ),
      },
    )
    .post(
      '/api/auth/passkey',
      async ({ body, context, request }) => {
        const member = await checkPasskey(parts, context, body)
        return {
          success: true,
          message: 'Successfully logged in! Enjoy unlimited stories.',
          user: await welcome(parts, context, member, deviceOf(request, context), 'passkey'),
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
      async ({ body, context }) => jsonAnswer(await beginPasskey(parts, context, body)),
      {
        body: Proof,
        response: BrowserOptions,
        ...about('account', 'Begin to add a passkey', 'For navigator.credentials.create.', {
          409: 'There are too many already',
        }),
      },
    )
    .post(
      '/api/user/passkeys',
      async ({ body, context, request, status }) => {
        const { userAgent } = deviceOf(request, context)
        const added = await addPasskey(parts, context, userAgent, body)
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
      async ({ caller, params }) => {
        await removePasskey(parts, memberOf(caller).id, params.id)
        return { success: true, message: 'The passkey is removed.' }
      },
      {
        params: t.Object({ id: t.String({ maxLength: 100 }) }),
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about('account', 'Remove a passkey of mine', 'One way in has to stay.', {
          409: 'It is the only way in',
        }),
      },
    )
}
