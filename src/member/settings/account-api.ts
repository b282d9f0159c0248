import * as t from 'typebox'
import { OpenSession } from '#src/member/console/operator-schema'
import { clearHistory } from '#src/member/data/clear-history'
import { type Ended, endedWords } from '#src/member/data/ended-rules'
import { exportAnswer } from '#src/member/data/export-answer'
import { askForNewEmail } from '#src/member/email/change-email'
import { newEmailWords } from '#src/member/rules'
import { CurrentUser } from '#src/member/schema'
import { openVerified } from '#src/member/sign-in/sign-in'
import { type Caller, memberOf, signedInOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { about, fileAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { listSessions } from '#src/session/list-sessions'
import { lockSession } from '#src/session/session'
import {
  browserOf,
  deviceOf,
  endMemberSession,
  giveMemberSession,
  toCurrentUser,
} from '#src/sign-in/member-session'
import { changePassword, deleteOwnAccount, editProfile, exportOwn, signOutElsewhere } from './account'
import { AccountProof, EmailChange, PasswordChange, ProfileChanges } from './account-schema'
import { findSettings, saveSettings } from './settings'
import { Settings, SettingsChanges } from './settings-schema'

const Done = t.Object({ success: t.Boolean(), message: t.String() })

/** Routes of the member's own account: profile, password, email, sessions, history, export, deletion. */
export function accountApi(services: Services) {
  const { db } = services
  return router()
    .get('/api/user/settings', async ({ caller }) => findSettings(db, memberOf(caller).id), {
      response: Settings,
      ...about('account', 'My settings'),
    })
    .patch('/api/user/settings', async ({ caller, body }) => saveSettings(db, memberOf(caller).id, body), {
      body: SettingsChanges,
      response: Settings,
      ...about('account', 'Change my settings', 'What you leave out stays.'),
    })
    .patch(
      '/api/user',
      async ({ caller, body }) => toCurrentUser(await editProfile(db, memberOf(caller).id, body)),
      {
        body: ProfileChanges,
        response: CurrentUser,
        ...about('account', 'Change my names', 'What you leave out stays; null takes a name away.'),
      },
    )
    .post(
      '/api/user/password',
      async ({ caller, body, context }) => {
        const ended = await renewPassword(context, caller, body)
        return { success: true, message: `Your password is changed. ${endedWords(ended)}` }
      },
      {
        body: PasswordChange,
        response: Done,
        ...about(
          'account',
          'Change my password',
          'Ends every other session, private feeds, remembered devices and links in mails; this session is renewed. The message says what has ended.',
          {
            409: 'The member signs in without a password',
          },
        ),
      },
    )
    .post(
      '/api/user/email',
      async ({ caller, body }) => {
        await askForNewEmail(services, signedInOf(caller), body)
        return { success: true, message: newEmailWords }
      },
      {
        body: EmailChange,
        response: Done,
        ...about(
          'account',
          'Ask for another email',
          'Proved by the password, or where there is none by a sign-in of the last ten minutes. A mail goes to the new address; nothing changes before its link is followed.',
        ),
      },
    )
    .get('/api/user/sessions', async ({ caller }) => listSessions(db, memberOf(caller).id, caller.sid), {
      response: t.Array(OpenSession),
      ...about('account', 'Where I am signed in, the last used first'),
    })
    .delete(
      '/api/user/sessions',
      async ({ caller, context }) => {
        const ended = await signOutElsewhere(db, signedInOf(caller), browserOf(context))
        return { success: true, message: endedWords(ended) }
      },
      {
        response: Done,
        ...about(
          'account',
          'Sign out elsewhere',
          'Ends all my sessions but this one, private feeds, remembered devices and links in mails. The message says what has ended.',
        ),
      },
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
      async ({ caller }) => {
        const member = signedInOf(caller)
        const requireOpen = () => db.transaction((tx) => lockSession(tx, member))
        return exportAnswer(await exportOwn(services, member.id), requireOpen)
      },
      {
        detail: {
          ...about('account', 'Download my data').detail,
          description: 'One zip: a README, JSON of everything that is held about me, and my narrations.',
          responses: { 200: fileAnswer('A zip, sent as it is made', 'application/zip') },
        },
      },
    )
    .delete(
      '/api/user',
      async ({ caller, body, context }) => {
        await leave(context, caller, body)
        return { success: true, message: 'Your account is deleted.' }
      },
      {
        body: AccountProof,
        response: Done,
        ...about(
          'account',
          'Delete my account',
          'At once and for good, proved by the password or the typed email.',
        ),
      },
    )
}

/** Sets a new password and replaces the requesting session. Returns the ended access. */
export async function renewPassword(
  context: RequestContext,
  caller: Caller,
  change: PasswordChange,
): Promise<Ended> {
  const { services } = context
  const { id } = memberOf(caller)
  const { ended, isStillOpen } = await changePassword(services, id, change, browserOf(context))
  await giveMemberSession(
    context,
    id,
    await openVerified(services.db, { id, isStillOpen }, deviceOf(context)),
  )
  return ended
}

/** Deletes the account, and its cookies in the browser. */
export async function leave(context: RequestContext, caller: Caller, proof: AccountProof): Promise<void> {
  await deleteOwnAccount(context.services, signedInOf(caller), proof)
  await endMemberSession(context)
}
