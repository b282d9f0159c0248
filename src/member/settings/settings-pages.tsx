import * as t from 'typebox'
import { findFeeds } from '#src/feed/token'
import { readEnded } from '#src/member/data/ended-rules'
import { isEmailVerified } from '#src/member/email/verify-email'
import { ownerOf } from '#src/member/sign-in/owner'
import { findPushState } from '#src/push/devices'
import type { RequestContext } from '#src/request/context'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { isFreshSession } from '#src/session/fresh-session'
import { listSessions } from '#src/session/list-sessions'
import type { Member } from '#src/session/schema'
import { oneOf } from '#src/shape/one-of'
import { keysOf, pick } from '#src/shape/pick'
import { listProviders } from '#src/social/list-providers'
import { findSettings } from './settings'
import { AccountDeleted, LoginRequired, type Said, SettingsPage, saidWords } from './settings-page'
import { shownSettings } from './settings-schema'
import { type OpenPanel, openPanels, type SettingsProblem, type SettingsView } from './settings-view-schema'
import { listSignInMethods } from './sign-in-methods'

const saids = keysOf(saidWords)
const hide = { detail: { hide: true } }

/** /settings. The routes for its forms without a script are in account-forms.ts and preference-forms.ts. */
export function settingsPages() {
  return router()
    .get('/settings', async ({ context, query }) => settingsPage(context, query), {
      query: t.Object({
        open: t.Optional(oneOf(openPanels)),
        said: t.Optional(oneOf(saids)),
        ended: t.Optional(t.String({ maxLength: 500 })),
      }),
      ...hide,
    })
    .get(
      '/account-deleted',
      async ({ context }) =>
        renderPage(context, {
          meta: { title: 'Your account is deleted', isIndexed: false },
          body: <AccountDeleted />,
        }),
      hide,
    )
}

/** The typed text of a form that is shown again. */
export type Typed = { firstName?: string | null; lastName?: string | null; newEmail?: string }
type Shown = {
  open?: OpenPanel
  said?: Said
  /** The ended access, as in the query. */
  ended?: string
  problem?: SettingsProblem
  typed?: Typed
}

/** Renders the settings page, with the refused form if there is one. */
export async function settingsPage(
  context: RequestContext,
  { said, ended, ...shown }: Shown,
): Promise<Response> {
  const { services } = context
  const { member, sid, hasPin } = context.caller
  return renderPage(context, {
    section: 'settings',
    meta: { title: 'Settings', isIndexed: false },
    body: member ? (
      <SettingsPage
        view={await viewOf(services, member, { sid, hasPin }, shown)}
        said={said}
        ended={readEnded(ended)}
      />
    ) : (
      <LoginRequired />
    ),
  })
}

async function viewOf(
  { db, env, secrets }: Services,
  member: Member,
  { sid, hasPin }: { sid: string | null; hasPin: boolean },
  { open, problem, typed }: Shown,
): Promise<SettingsView> {
  const [settings, sessions, signInMethods, isVerified, isFresh, feeds, push] = await Promise.all([
    findSettings(db, member.id),
    listSessions(db, member.id, sid),
    listSignInMethods(db, member.id),
    isEmailVerified(db, member.id),
    isFreshSession(db, sid),
    findFeeds(db, member.id),
    findPushState({ db, secrets }, member.id, sid),
  ])
  return {
    owner: ownerOf(secrets, member),
    email: member.email,
    isEmailVerified: isVerified,
    newEmail: typed?.newEmail ?? '',
    firstName: typed?.firstName ?? member.firstName ?? '',
    lastName: typed?.lastName ?? member.lastName ?? '',
    memberSince: memberSince.format(member.createdAt),
    isSocial: member.oauthProvider !== null,
    hasPassword: signInMethods.hasPassword,
    hasPin,
    signInMethods,
    isFresh,
    providers: listProviders(env),
    settings: pick(settings, shownSettings),
    sessions,
    ended: null,
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
