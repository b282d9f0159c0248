import * as t from 'typebox'
import { forgetTrackingId } from '#src/analytics/sender'
import { type Caller, memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { about, router } from '#src/http/router'
import { endSession, giveSession } from '#src/http/sign-in-cookies'
import type { Parts } from '#src/parts'
import { changePassword, clearHistory, deleteOwnAccount, editProfile, exportOwn } from './account'
import { AccountProof, EmailChange, PasswordChange, ProfileChanges } from './account-schema'
import { deviceOf, toCurrentUser } from './api'
import { askForNewEmail } from './change-email'
import { exportAnswer } from './export-answer'
import { listSessions } from './list-sessions'
import { OpenSession } from './operator-schema'
import { newEmailWords } from './rules'
import { CurrentUser } from './schema'
import { closeOtherSessions, openSession } from './session'
import { findSettings, saveSettings } from './settings'
import { Settings, SettingsChanges } from './settings-schema'

const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** The member's own account (visitor.md §2, Settings; product.md §3). */
export function accountApi(parts: Parts) {
  const { db } = parts
  return router()
    .get('/api/user/settings', async ({ caller }) => findSettings(db, memberOf(caller).id), {
      response: Settings,
      ...about('account', 'My settings'),
    })
    .patch('/api/user/settings', async ({ caller, body }) => saveSettings(db, memberOf(caller).id, body), {
      body: SettingsChanges,
      response: Settings,
      ...about('account', 'Change my settings', 'What is left out stays.'),
    })
    .patch(
      '/api/user',
      async ({ caller, body }) => toCurrentUser(await editProfile(db, memberOf(caller).id, body)),
      {
        body: ProfileChanges,
        response: CurrentUser,
        ...about('account', 'Change my names', 'What is left out stays; null takes a name away.'),
      },
    )
    .post(
      '/api/user/password',
      async ({ caller, body, request, context }) => {
        await renewPassword(parts, request, context, caller, body)
        return { success: true, message: 'Your password is changed. Other sessions have ended.' }
      },
      {
        body: PasswordChange,
        response: Done,
        ...about('account', 'Change my password', 'Ends every other session; this one is renewed.', {
          409: 'The member signs in without a password',
        }),
      },
    )
    .post(
      '/api/user/email',
      async ({ caller, body }) => {
        await askForNewEmail(parts, { ...memberOf(caller), sid: caller.sid }, body)
        return { success: true, message: newEmailWords }
      },
      {
        body: EmailChange,
        response: Done,
        ...about(
          'account',
          'Ask for another email',
          'Proved by the password, or where there is none by a sign-in of the last ten minutes. A letter goes to the new address; nothing changes before its link is followed.',
        ),
      },
    )
    .get('/api/user/sessions', async ({ caller }) => listSessions(db, memberOf(caller).id, caller.sid), {
      response: t.Array(OpenSession),
      ...about('account', 'Where I am signed in, the last used first'),
    })
    .delete(
      '/api/user/sessions',
      async ({ caller }) => {
        await closeOtherSessions(db, memberOf(caller).id, caller.sid)
        return { success: true, message: 'Signed out everywhere else.' }
      },
      { response: Done, ...about('account', 'Sign out elsewhere', 'Ends all my sessions but this one.') },
    )
    .delete(
      '/api/user/history',
      async ({ caller }) => {
        await clearHistory(db, memberOf(caller).id)
        return { success: true, message: 'Your history is cleared.' }
      },
      {
        response: Done,
        ...about(
          'account',
          'Clear my listening and reading history',
          'Where I stopped, on all devices, and what is known of my visits. Favorites and my own items stay.',
        ),
      },
    )
    .get(
      '/api/user/export',
      async ({ caller }) => exportAnswer(await exportOwn(parts, memberOf(caller).id)),
      {
        detail: {
          ...about('account', 'Download my data').detail,
          description: 'One zip: a README, JSON of everything that is held about me, and my narrations.',
          responses: { 200: { description: 'A zip (application/zip), sent as it is made' } },
        },
      },
    )
    .delete(
      '/api/user',
      async ({ caller, body, context }) => {
        await leave(parts, context, caller, body)
        return { success: true, message: 'Your account is deleted.' }
      },
      {
        body: AccountProof,
        response: Done,
        ...about(
          'account',
          'Delete my account',
          'At once and for good, proved by the password or the typed e-mail.',
        ),
      },
    )
}

/** A new password, and a new session in place of the one that asked. */
export async function renewPassword(
  parts: Parts,
  request: Request,
  context: RequestContext,
  caller: Caller,
  change: PasswordChange,
): Promise<void> {
  const { id } = memberOf(caller)
  await changePassword(parts, id, change, caller.sid)
  const session = { kind: 'member', userId: id, ...deviceOf(request, context) } as const
  await giveSession(parts, context, 'member', await openSession(parts.db, session))
}

/** The account goes, and what the browser remembers of it. */
export async function leave(
  parts: Parts,
  context: RequestContext,
  caller: Caller,
  proof: AccountProof,
): Promise<void> {
  await deleteOwnAccount(parts, memberOf(caller).id, proof)
  await endSession(parts, context, 'member')
  forgetTrackingId(parts, context)
}
