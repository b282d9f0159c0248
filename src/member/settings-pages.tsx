import * as t from 'typebox'
import { findFeeds } from '#src/feed/token'
import { cookieNames, memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { removePasskey } from '#src/passkey/add'
import { findPushState } from '#src/push/devices'
import { removeDevice } from '#src/push/remove-device'
import { listProviders } from '#src/social/client'
import { unlinkIdentity } from '#src/social/enter'
import { providers } from '#src/social/rules'
import { oneOf } from '#src/story/schema'
import { urls } from '#src/urls'
import { clearHistory, editProfile } from './account'
import { leave, renewPassword } from './account-api'
import { AccountProof, EmailChange, PasswordChange, ProfileChanges } from './account-schema'
import { askForNewEmail } from './change-email'
import { isFreshSession } from './fresh-session'
import { hideChanges } from './hide'
import { listSessions } from './list-sessions'
import { emailCharactersMax } from './rules'
import { closeOtherSessions, type Member } from './session'
import { findSettings, saveSettings } from './settings'
import { AccountDeleted, LoginRequired, type Said, SettingsPage, saidWords } from './settings-page'
import { HideForm, themes } from './settings-schema'
import {
  type OpenPanel,
  openPanels,
  type SettingsForm,
  type SettingsProblem,
  type SettingsView,
} from './settings-view'
import { askToVerifyAgain, isEmailVerified } from './verify-email'
import { listWaysIn } from './ways-in'

const saids = Object.keys(saidWords) as Said[]
const hide = { detail: { hide: true } }

/** /settings, and its forms without a script: each leads back, or shows the page again with what was typed. */
export function settingsPages(parts: Parts) {
  const { db } = parts
  return router()
    .get('/settings', async ({ request, context, query }) => settingsPage(parts, request, context, query), {
      query: t.Object({ open: t.Optional(oneOf(openPanels)), said: t.Optional(oneOf(saids)) }),
      ...hide,
    })
    .post(
      '/settings/profile',
      async ({ request, context, caller, body }) =>
        orAgain(
          parts,
          request,
          context,
          'profile',
          body,
          () => editProfile(db, memberOf(caller).id, body),
          urls.settings({ said: 'profile' }),
        ),
      { body: ProfileChanges, ...hide },
    )
    .post(
      '/settings/password',
      async ({ request, context, caller, body }) =>
        orAgain(
          parts,
          request,
          context,
          'password',
          {},
          () => renewPassword(parts, request, context, caller, body),
          urls.settings({ said: 'password' }),
        ),
      // What is too short is refused by the verb, so that the form comes back.
      {
        body: t.Object({ ...PasswordChange.properties, newPassword: t.String({ maxLength: 1_024 }) }),
        ...hide,
      },
    )
    .post(
      '/settings/email',
      async ({ request, context, caller, body }) =>
        orAgain(
          parts,
          request,
          context,
          'email',
          { newEmail: body.email },
          () => askForNewEmail(parts, { ...memberOf(caller), sid: caller.sid }, body),
          urls.settings({ said: 'email' }),
        ),
      // What is no address is refused by the verb, so that the form comes back.
      {
        body: t.Object({ ...EmailChange.properties, email: t.String({ maxLength: emailCharactersMax }) }),
        ...hide,
      },
    )
    .post(
      '/settings/preferences',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        const theme = themes.find((each) => each === body.theme) ?? null
        if (body.panel === 'notifications')
          await saveSettings(db, id, { emailNotifications: body.emailNotifications === 'on' })
        else if (body.panel === 'playback')
          await saveSettings(db, id, { autoPlayNext: body.autoPlayNext === 'on' })
        else if (body.panel === 'discretion')
          await saveSettings(db, id, { discreetMode: body.discreetMode === 'on' })
        else {
          await saveSettings(db, id, { theme })
          keepTheme(parts, context, theme)
        }
        return back('preferences')
      },
      {
        body: t.Object({
          panel: t.Optional(oneOf(['notifications', 'playback', 'discretion'] as const)),
          autoPlayNext: t.Optional(t.String({ maxLength: 10 })),
          discreetMode: t.Optional(t.String({ maxLength: 10 })),
          emailNotifications: t.Optional(t.String({ maxLength: 10 })),
          theme: t.Optional(t.String({ maxLength: 10 })),
        }),
        ...hide,
      },
    )
    .post(
      '/settings/hide',
      async ({ caller, body }) => {
        const { id } = memberOf(caller)
        await saveSettings(db, id, hideChanges(await findSettings(db, id), body))
        return back('preferences', 'hide')
      },
      { body: HideForm, ...hide },
    )
    .post(
      '/settings/sessions',
      async ({ caller }) => {
        await closeOtherSessions(db, memberOf(caller).id, caller.sid)
        return back('sessions')
      },
      hide,
    )
    .post(
      '/settings/history',
      async ({ caller }) => {
        await clearHistory(db, memberOf(caller).id)
        return back('history')
      },
      hide,
    )
    .post(
      '/settings/delete',
      async ({ request, context, caller, body }) =>
        orAgain(
          parts,
          request,
          context,
          'delete',
          {},
          () => leave(parts, context, caller, body),
          urls.accountDeleted(),
        ),
      { body: AccountProof, ...hide },
    )
    .post(
      '/settings/verify-email',
      async ({ request, context, caller }) =>
        orAgain(
          parts,
          request,
          context,
          'verify-email',
          {},
          () => askToVerifyAgain(parts, memberOf(caller)),
          urls.settings({ said: 'letter' }),
        ),
      hide,
    )
    .post(
      '/settings/unlink',
      async ({ request, context, caller, body }) =>
        orAgain(
          parts,
          request,
          context,
          'ways-in',
          {},
          () => unlinkIdentity(parts, memberOf(caller).id, body.provider),
          urls.settings({ said: 'unlinked' }),
        ),
      { body: t.Object({ provider: oneOf(providers) }), ...hide },
    )
    .post(
      '/settings/remove-passkey',
      async ({ request, context, caller, body }) =>
        orAgain(
          parts,
          request,
          context,
          'ways-in',
          {},
          () => removePasskey(parts, memberOf(caller).id, body.id),
          urls.settings({ said: 'removed' }),
        ),
      { body: t.Object({ id: t.String({ maxLength: 100 }) }), ...hide },
    )
    .post(
      '/settings/remove-device',
      async ({ caller, body }) => {
        await removeDevice(db, memberOf(caller).id, body.id)
        return back('device', 'notifications')
      },
      { body: t.Object({ id: t.String({ maxLength: 100 }) }), ...hide },
    )
    .get(
      '/account-deleted',
      async ({ request, context }) =>
        renderPage(parts, request, await viewerOf(parts, context), {
          meta: { title: 'Your account is deleted', isIndexed: false },
          body: <AccountDeleted />,
        }),
      hide,
    )
}

type Typed = { firstName?: string | null; lastName?: string | null; newEmail?: string }
type Shown = {
  open?: OpenPanel
  said?: Said
  problem?: SettingsProblem
  status?: number
  typed?: Typed
}

/** The settings as they are, or with what was refused. */
export async function settingsPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  { said, status, ...shown }: Shown,
): Promise<Response> {
  const { member, sid, hasPin } = context.caller
  return renderPage(parts, request, await viewerOf(parts, context), {
    status,
    section: 'settings',
    meta: { title: 'Settings', isIndexed: false },
    body: member ? (
      <SettingsPage view={await viewOf(parts, member, { sid, hasPin }, shown)} said={said} />
    ) : (
      <LoginRequired />
    ),
  })
}

async function viewOf(
  { db, env, secrets }: Parts,
  member: Member,
  { sid, hasPin }: { sid: string | null; hasPin: boolean },
  { open, problem, typed }: Shown,
): Promise<SettingsView> {
  const [settings, sessions, waysIn, isVerified, isFresh, feeds, push] = await Promise.all([
    findSettings(db, member.id),
    listSessions(db, member.id, sid),
    listWaysIn(db, member.id),
    isEmailVerified(db, member.id),
    isFreshSession(db, sid),
    findFeeds(db, member.id),
    findPushState({ db, secrets }, member.id, sid),
  ])
  const { emailNotifications, theme, autoPlayNext, hiddenCategories, hiddenWords, discreetMode } = settings
  return {
    email: member.email,
    isEmailVerified: isVerified,
    newEmail: typed?.newEmail ?? '',
    firstName: typed?.firstName ?? member.firstName ?? '',
    lastName: typed?.lastName ?? member.lastName ?? '',
    memberSince: memberSince.format(member.createdAt),
    isSocial: member.oauthProvider !== null,
    hasPassword: waysIn.hasPassword,
    hasPin,
    waysIn,
    isFresh,
    providers: listProviders(env),
    settings: { emailNotifications, theme, autoPlayNext, hiddenCategories, hiddenWords, discreetMode },
    sessions,
    push,
    hasWorker: env.keepsOffline,
    feeds,
    open: openPanels.find((each) => each === problem?.panel) ?? open ?? null,
    problem: problem ?? null,
  }
}

const memberSince = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Does what a form asks and leads on; a refusal shows the page again, with that form open and what was typed. */
async function orAgain(
  parts: Parts,
  request: Request,
  context: RequestContext,
  panel: SettingsForm,
  typed: Typed,
  work: () => Promise<unknown>,
  next: string,
): Promise<Response> {
  try {
    await work()
    return redirect(next)
  } catch (error) {
    const { status, message, fields } = answerOf(error, parts.log, context.id)
    if (status >= 500) throw error
    const problem = { panel, field: fields?.[0]?.path ?? null, message }
    return settingsPage(parts, request, context, { problem, status, typed })
  }
}

/** The choice as the theme button keeps it: a cookie that scripts may read. */
function keepTheme({ env }: Parts, context: RequestContext, theme: string | null): void {
  const maxAge = theme ? 365 * 24 * 3_600 : 0
  const secure = env.isSecure ? '; Secure' : ''
  context.setCookies.push(
    `${cookieNames.theme}=${theme ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`,
  )
}

function back(said: Said, panel?: string): Response {
  return redirect(urls.settings({ said }) + (panel ? `#${panel}` : ''))
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}
