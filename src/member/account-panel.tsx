import type { FormEvent } from 'react'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { OpenButton } from './open-button'
import { emailCharactersMax, nameCharactersMax } from './rules'
import type { OpenPanel, SettingsForm, SettingsProblem, SettingsView } from './settings-view'

export type PanelProps = {
  view: SettingsView
  open: OpenPanel | null
  problem: SettingsProblem | null
  isBusy: boolean
  /** Opens a form, or closes it again. */
  onOpen: (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => void
  onSubmit: (panel: SettingsForm, event: FormEvent<HTMLFormElement>) => void
}

/** Who is signed in, since when and how; Edit Profile opens the names. */
export function AccountPanel(props: PanelProps & { onSignOut: (event: FormEvent<HTMLFormElement>) => void }) {
  const { view, open, onOpen, onSignOut } = props
  const name = [view.firstName, view.lastName].filter(Boolean).join(' ')
  return (
    <section className="panel" id="account" aria-labelledby="account-title">
      <div className="panel-head">
        <h2 id="account-title">Account Settings</h2>
        <OpenButton panel="profile" isOpen={open === 'profile'} onOpen={onOpen}>
          Edit Profile
        </OpenButton>
      </div>
      {open === 'profile' && <ProfileForm {...props} />}
      <div className="setting">
        <span>
          <span className="hint">Email</span>
          {view.email ?? 'None'}
        </span>
        <OpenButton panel="email" isOpen={open === 'email'} onOpen={onOpen}>
          Change Email
        </OpenButton>
      </div>
      {open === 'email' && <EmailForm {...props} />}
      {view.email && !view.isEmailVerified && <Unverified {...props} />}
      <Fact label="Name" value={name || 'None yet'} />
      <Fact label="Member since" value={view.memberSince} />
      <Fact label="Login method" value={view.isSocial ? 'Social Login' : 'Email and password'} />
      <form className="setting" action={urls.signOut()} method="post" data-hard="" onSubmit={onSignOut}>
        <span className="hint">On this device</span>
        <Button size="sm" type="submit">
          Sign out
        </Button>
      </form>
    </section>
  )
}

/** A quiet reminder: nothing waits for it. */
function Unverified({ problem, isBusy, onSubmit }: PanelProps) {
  const refused = problem?.panel === 'verify-email' ? problem.message : null
  return (
    <form
      className="setting"
      action={urls.settingsForm('verify-email')}
      method="post"
      onSubmit={(event) => onSubmit('verify-email', event)}
    >
      <span className="hint" role={refused ? 'alert' : undefined}>
        {refused ??
          'Not confirmed yet: the link is in a letter we sent you. Only a forgotten password needs it.'}
      </span>
      <Button size="sm" type="submit" disabled={isBusy}>
        Send again
      </Button>
    </form>
  )
}

function EmailForm({ view, problem, isBusy, onSubmit }: PanelProps) {
  const found = problem?.panel === 'email' ? problem : null
  const errorOf = (field: string) => (found?.field === field ? found.message : undefined)
  const general = found && (found.field === null || !(view.hasPassword || found.field === 'email'))
  return (
    <form
      className="stack setting-form"
      action={urls.settingsForm('email')}
      method="post"
      aria-label="Change email"
      onSubmit={(event) => onSubmit('email', event)}
    >
      {general && <Notice kind="bad">{found.message}</Notice>}
      <Field
        label="New email"
        type="email"
        name="email"
        autoComplete="email"
        maxLength={emailCharactersMax}
        defaultValue={view.newEmail}
        required
        hint="A letter with a link goes there. Until that is followed the old one stays."
        error={errorOf('email')}
      />
      {view.hasPassword && (
        <Field
          label="Your password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          error={errorOf('password')}
        />
      )}
      <div className="btn-row">
        <Button kind="primary" type="submit" disabled={isBusy}>
          Send the Letter
        </Button>
      </div>
    </form>
  )
}

function ProfileForm({ view, problem, isBusy, onSubmit }: PanelProps) {
  const found = problem?.panel === 'profile' ? problem : null
  const errorOf = (field: string) => (found?.field === field ? found.message : undefined)
  return (
    <form
      className="stack setting-form"
      action={urls.settingsForm('profile')}
      method="post"
      aria-label="Profile"
      onSubmit={(event) => onSubmit('profile', event)}
    >
      {found && found.field === null && <Notice kind="bad">{found.message}</Notice>}
      <div className="field-row">
        <Field
          label="First name"
          name="firstName"
          autoComplete="given-name"
          maxLength={nameCharactersMax}
          defaultValue={view.firstName}
          error={errorOf('firstName')}
        />
        <Field
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          maxLength={nameCharactersMax}
          defaultValue={view.lastName}
          error={errorOf('lastName')}
        />
      </div>
      <div className="btn-row">
        <Button kind="primary" type="submit" disabled={isBusy}>
          Save Profile
        </Button>
      </div>
    </form>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="setting">
      <span>
        <span className="hint">{label}</span>
        {value}
      </span>
    </div>
  )
}
