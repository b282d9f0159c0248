import * as t from 'typebox'
import { findFeeds } from '#src/feed/token'
import type { RequestContext } from '#src/http/context'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { findPushState } from '#src/push/devices'
import { listProviders } from '#src/social/client'
import { oneOf } from '#src/story/schema'
import { isFreshSession } from './fresh-session'
import { listSessions } from './list-sessions'
import type { Member } from './session'
import { findSettings } from './settings'
import { AccountDeleted, LoginRequired, type Said, SettingsPage, saidWords } from './settings-page'
import { type OpenPanel, openPanels, type SettingsProblem, type SettingsView } from './settings-view'
import { isEmailVerified } from './verify-email'
import { listWaysIn } from './ways-in'

const saids = Object.keys(saidWords) as Said[]
const hide = { detail: { hide: true } }

/** /settings and what is left of them. Their forms without a script: account-forms.ts, preference-forms.ts. */
export function settingsPages(parts: Parts) {
  return router()
    .get('/settings', async ({ request, context, query }) => settingsPage(parts, request, context, query), {
      query: t.Object({ open: t.Optional(oneOf(openPanels)), said: t.Optional(oneOf(saids)) }),
      ...hide,
    })
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

/** What was typed into a form that comes back. */
export type Typed = { firstName?: string | null; lastName?: string | null; newEmail?: string }
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
