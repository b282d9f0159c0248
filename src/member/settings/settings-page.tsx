import MemberSettings from '#islands/member/member-settings'
import PrivateFeeds from '#islands/member/private-feeds'
import SavedItems from '#islands/offline/saved-items'
import { type Ended, endedWords, recoveryWords } from '#src/member/data/ended-rules'
import { newEmailWords } from '#src/member/rules'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { Island } from '#src/ui/island'
import { Notice } from '#src/ui/notice'
import { SideLinks } from '#src/ui/side-links'
import { urls } from '#src/urls'
import type { SettingsView } from './settings-view-schema'

/** The outcome of a plain form, shown on the page that it redirects to. */
export const saidWords = {
  profile: 'Profile saved',
  password: 'Your password is changed.',
  recovered: 'Your password is changed.',
  email: newEmailWords,
  preferences: 'Settings saved',
  mail: 'A mail is on its way.',
  linked: 'Linked. It can sign you in from now on.',
  unlinked: 'Unlinked. It can no longer sign you in.',
  removed: 'The passkey is removed.',
  device: 'That browser no longer gets notifications.',
  pinned: 'Your PIN is set. It is asked for when a browser is reopened, and after ten minutes away.',
  unpinned: 'You are no longer asked for a PIN.',
  sessions: '',
  history: 'Your history is cleared.',
  feeds: 'Your feeds have ended.',
} as const
export type Said = keyof typeof saidWords

const sections = [
  { id: 'account', name: 'Account Settings' },
  { id: 'notifications', name: 'Notifications' },
  { id: 'playback', name: 'Playback' },
  { id: 'look', name: 'Appearance' },
  { id: 'discretion', name: 'Discretion' },
  { id: 'hide', name: 'Never show me' },
  { id: 'ways-in', name: 'Ways to sign in' },
  { id: 'sessions', name: 'Active sessions' },
  { id: 'privacy', name: 'Privacy & Security' },
  { id: 'feeds', name: 'Private feeds' },
  { id: 'offline', name: 'Kept on this device' },
  { id: 'help', name: 'Help & Support' },
]

type Done = { said?: Said; ended: Ended }

/** The settings of a member. Every form works without a script. */
export function SettingsPage({ view, said, ended }: { view: SettingsView } & Done) {
  return (
    <>
      <header className="page-head">
        <h1 className="title-lg">Settings</h1>
      </header>
      {said && <Notice kind="good">{noticeWords(view, said, ended)}</Notice>}
      <div className="settings-grid">
        <SideLinks sections={sections} />
        <div className="stack">
          <Island name="member-settings" of={MemberSettings} props={{ view }} />
          <Island name="private-feeds" of={PrivateFeeds} props={{ state: view.feeds }} />
          <Island name="saved-items" of={SavedItems} props={{}} when="visible" />
          <HelpPanel />
        </div>
      </div>
    </>
  )
}

function noticeWords({ signInMethods }: SettingsView, said: Said, ended: Ended): string {
  if (said === 'recovered') return `${saidWords[said]} ${recoveryWords(ended, signInMethods)}`
  if (said === 'password' || said === 'sessions') return `${saidWords[said]} ${endedWords(ended)}`.trim()
  return saidWords[said]
}

function HelpPanel() {
  return (
    <section className="panel stack" id="help" aria-labelledby="help-title">
      <h2 id="help-title">Help &amp; Support</h2>
      <div className="btn-row">
        <ButtonLink href={urls.help()}>Help Center</ButtonLink>
        <ButtonLink href={urls.contact()}>Contact Support</ButtonLink>
        <ButtonLink href={urls.privacy()}>Privacy Policy</ButtonLink>
      </div>
    </section>
  )
}

/** The page for a visitor. */
export function LoginRequired() {
  return (
    <EmptyState title="Login Required" words="Sign in to see your settings." isPage>
      <div className="btn-row">
        <ButtonLink kind="primary" href={urls.signIn({ next: urls.settings() })} data-auth="sign-in">
          Sign in
        </ButtonLink>
        <ButtonLink kind="quiet" href={urls.explore()}>
          Explore Audios
        </ButtonLink>
        <ButtonLink kind="quiet" href={urls.create()}>
          Create Audios
        </ButtonLink>
      </div>
    </EmptyState>
  )
}

/** The page after an account was deleted. */
export function AccountDeleted() {
  return (
    <EmptyState
      title="Your account is deleted"
      words="Nothing of it is left here. Take care of yourself."
      isPage
    >
      <ButtonLink href={urls.explore()}>Explore Audios</ButtonLink>
    </EmptyState>
  )
}
