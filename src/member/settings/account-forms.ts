import * as t from 'typebox'
import { endedQuery } from '#src/member/data/ended-rules'
import { askForNewEmail } from '#src/member/email/change-email'
import { askToVerifyAgain } from '#src/member/email/verify-email'
import { emailCharactersMax } from '#src/member/rules'
import { removePasskey } from '#src/passkey/add'
import { memberOf, signedInOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { unlinkIdentity } from '#src/social/enter'
import { providers } from '#src/social/rules'
import { urls } from '#src/urls'
import { editProfile } from './account'
import { leave, renewPassword } from './account-api'
import { AccountProof, EmailChange, PasswordChange, ProfileChanges, Proof } from './account-schema'
import { settingsPage, type Typed } from './settings-pages'
import type { SettingsForm } from './settings-view-schema'

const hide = { detail: { hide: true } }

/**
 * Routes for the settings forms that may be refused, for browsers without a script. Each redirects, or shows the page
 * again.
 */
export function accountForms(services: Services) {
  const { db } = services
  return (
    router()
      .post(
        '/settings/profile',
        async ({ context, caller, body }) =>
          submit(context, { panel: 'profile', typed: body }, async () => {
            await editProfile(db, memberOf(caller).id, body)
            return urls.settings({ said: 'profile' })
          }),
        { body: ProfileChanges, ...hide },
      )
      // The schemas allow a short password and, below, an invalid address, so that the handler refuses them and the
      // form is shown again.
      .post(
        '/settings/password',
        async ({ context, caller, body }) =>
          submit(context, { panel: 'password' }, async () => {
            const ended = await renewPassword(context, caller, body)
            return urls.settings({ said: 'password', ended: endedQuery(ended) })
          }),
        {
          body: t.Object({ ...PasswordChange.properties, newPassword: t.String({ maxLength: 1_024 }) }),
          ...hide,
        },
      )
      .post(
        '/settings/email',
        async ({ context, caller, body }) =>
          submit(context, { panel: 'email', typed: { newEmail: body.email } }, async () => {
            await askForNewEmail(services, signedInOf(caller), body)
            return urls.settings({ said: 'email' })
          }),
        {
          body: t.Object({ ...EmailChange.properties, email: t.String({ maxLength: emailCharactersMax }) }),
          ...hide,
        },
      )
      .post(
        '/settings/verify-email',
        async ({ context, caller }) =>
          submit(context, { panel: 'verify-email' }, async () => {
            await askToVerifyAgain(services, memberOf(caller))
            return urls.settings({ said: 'mail' })
          }),
        hide,
      )
      .post(
        '/settings/unlink',
        async ({ context, caller, body }) =>
          submit(context, { panel: 'ways-in', row: body.provider }, async () => {
            await unlinkIdentity(services, signedInOf(caller), body)
            return urls.settings({ said: 'unlinked' })
          }),
        { body: t.Object({ ...Proof.properties, provider: oneOf(providers) }), ...hide },
      )
      .post(
        '/settings/remove-passkey',
        async ({ context, caller, body }) =>
          submit(context, { panel: 'ways-in', row: body.id }, async () => {
            await removePasskey(services, signedInOf(caller), body)
            return urls.settings({ said: 'removed' })
          }),
        { body: t.Object({ ...Proof.properties, id: t.String({ maxLength: 100 }) }), ...hide },
      )
      .post(
        '/settings/delete',
        async ({ context, caller, body }) =>
          submit(context, { panel: 'delete' }, async () => {
            await leave(context, caller, body)
            return urls.accountDeleted()
          }),
        { body: AccountProof, ...hide },
      )
  )
}

/**
 * Runs the action of a form and redirects. If it is refused, shows the settings with that form open and the typed text.
 */
function submit(
  context: RequestContext,
  { typed, ...form }: { panel: SettingsForm; row?: string; typed?: Typed },
  work: () => Promise<string>,
): Promise<Response> {
  return rerenderWithError(context, work, (error) =>
    settingsPage(context, { problem: { ...form, ...error }, typed }),
  )
}
