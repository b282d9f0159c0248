import * as t from 'typebox'
import { memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { removePasskey } from '#src/passkey/add'
import { unlinkIdentity } from '#src/social/enter'
import { providers } from '#src/social/rules'
import { oneOf } from '#src/story/schema'
import { urls } from '#src/urls'
import { editProfile } from './account'
import { leave, renewPassword } from './account-api'
import { AccountProof, EmailChange, PasswordChange, ProfileChanges } from './account-schema'
import { askForNewEmail } from './change-email'
import { emailCharactersMax } from './rules'
import { settingsPage, type Typed } from './settings-pages'
import type { SettingsForm } from './settings-view'
import { askToVerifyAgain } from './verify-email'

const hide = { detail: { hide: true } }

/** The forms of the settings that may be refused, without a script: each leads on, or shows the page again. */
export function accountForms(parts: Parts) {
  const { db } = parts
  return (
    router()
      .post(
        '/settings/profile',
        async ({ request, context, caller, body }) =>
          orAgain(parts, { request, context, panel: 'profile', typed: body }, async () => {
            await editProfile(db, memberOf(caller).id, body)
            return urls.settings({ said: 'profile' })
          }),
        { body: ProfileChanges, ...hide },
      )
      // What is too short, and below what is no address, is refused by the verb, so that the form comes back.
      .post(
        '/settings/password',
        async ({ request, context, caller, body }) =>
          orAgain(parts, { request, context, panel: 'password' }, async () => {
            await renewPassword(parts, request, context, caller, body)
            return urls.settings({ said: 'password' })
          }),
        {
          body: t.Object({ ...PasswordChange.properties, newPassword: t.String({ maxLength: 1_024 }) }),
          ...hide,
        },
      )
      .post(
        '/settings/email',
        async ({ request, context, caller, body }) =>
          orAgain(parts, { request, context, panel: 'email', typed: { newEmail: body.email } }, async () => {
            await askForNewEmail(parts, { ...memberOf(caller), sid: caller.sid }, body)
            return urls.settings({ said: 'email' })
          }),
        {
          body: t.Object({ ...EmailChange.properties, email: t.String({ maxLength: emailCharactersMax }) }),
          ...hide,
        },
      )
      .post(
        '/settings/verify-email',
        async ({ request, context, caller }) =>
          orAgain(parts, { request, context, panel: 'verify-email' }, async () => {
            await askToVerifyAgain(parts, memberOf(caller))
            return urls.settings({ said: 'letter' })
          }),
        hide,
      )
      .post(
        '/settings/unlink',
        async ({ request, context, caller, body }) =>
          orAgain(parts, { request, context, panel: 'ways-in' }, async () => {
            await unlinkIdentity(parts, memberOf(caller).id, body.provider)
            return urls.settings({ said: 'unlinked' })
          }),
        { body: t.Object({ provider: oneOf(providers) }), ...hide },
      )
      .post(
        '/settings/remove-passkey',
        async ({ request, context, caller, body }) =>
          orAgain(parts, { request, context, panel: 'ways-in' }, async () => {
            await removePasskey(parts, memberOf(caller).id, body.id)
            return urls.settings({ said: 'removed' })
          }),
        { body: t.Object({ id: t.String({ maxLength: 100 }) }), ...hide },
      )
      .post(
        '/settings/delete',
        async ({ request, context, caller, body }) =>
          orAgain(parts, { request, context, panel: 'delete' }, async () => {
            await leave(parts, context, caller, body)
            return urls.accountDeleted()
          }),
        { body: AccountProof, ...hide },
      )
  )
}

/** Does what a form asks and leads on; a refusal shows the page again, with that form open and what was typed. */
async function orAgain(
  parts: Parts,
  form: { request: Request; context: RequestContext; panel: SettingsForm; typed?: Typed },
  work: () => Promise<string>,
): Promise<Response> {
  const { request, context, panel, typed } = form
  try {
    return redirect(await work())
  } catch (error) {
    const { status, message, fields } = answerOf(error, parts.log, context.id)
    if (status >= 500) throw error
    const problem = { panel, field: fields?.[0]?.path ?? null, message }
    return settingsPage(parts, request, context, { problem, status, typed })
  }
}
