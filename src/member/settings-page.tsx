import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { urls } from '#src/urls'
import type { Member } from './session'

/** The member's own account (visitor.md §2): who is signed in, since when, how, and the way out. */
export function SettingsPage({ member }: { member: Member | null }) {
  if (!member) {
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
  const name = [member.firstName, member.lastName].filter(Boolean).join(' ')
  return (
    <>
      <header className="page-head">
        <h1 className="title-lg">Settings</h1>
      </header>
      <section className="panel" id="account" aria-labelledby="account-title">
        <div className="panel-head">
          <h2 id="account-title">Account Settings</h2>
          <form action={urls.signOut()} method="post" data-hard="">
            <button className="btn btn-quiet btn-sm" type="submit">
              Sign out
            </button>
          </form>
        </div>
        <Setting label="Email" value={member.email ?? 'None'} />
        {name && <Setting label="Name" value={name} />}
        <Setting label="Member since" value={memberSince.format(member.createdAt)} />
        <Setting label="Login method" value={member.oauthProvider ? 'Social Login' : 'Email and password'} />
      </section>
    </>
  )
}

const memberSince = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

function Setting({ label, value }: { label: string; value: string }) {
  return (
    <div className="setting">
      <span>
        <span className="hint">{label}</span>
        {value}
      </span>
    </div>
  )
}
