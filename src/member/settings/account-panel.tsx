import type { FormEvent } from 'react'
import { nameCharactersMax } from '#src/member/rules'
import { EmailField } from '#src/ui/account-fields'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { urls } from '#src/urls'
import { OpenButton } from './open-button'
import { type PanelProps, PasswordField, SettingForm } from './setting-form'

/** The signed-in member: since when, and by which method. Edit Profile opens a form for the names. */
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
      {view.email && !view.isEmailVerified && <Unverified {...props} />}
      {open === 'email' && <EmailForm {...props} />}
      <Fact label="Name" value={name || 'None yet'} />
      <Fact label="Member since" value={view.memberSince} />
      <Fact label="Login method" value={view.isSocial ? 'Social Login' : 'Email and password'} />
      <form className="setting" action={urls.signOut()} method="post" data-hard="" onSubmit={onSignOut}>
        <input type="hidden" name="owner" value={view.owner ?? undefined} />
        <span className="hint">On this device</span>
        <Button size="sm" type="submit">
          Sign out
        </Button>
      </form>
    </section>
  )
}

/** A reminder to confirm the address, which is optional. */
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
          'Not confirmed yet: the link is in a mail we sent you. Until then, setting a new password by mail also removes your passkeys, linked accounts and PIN.'}
      </span>
      <Button size="sm" type="submit" isBusy={isBusy}>
        Send again
      </Button>
    </form>
  )
}

function EmailForm(props: PanelProps) {
  const { view } = props
  return (
    <SettingForm {...props} panel="email" label="Change email" submit="Send the Mail">
      <EmailField
        label="New email"
        defaultValue={view.newEmail}
        required
        hint="A mail with a link goes there. Until you follow it, the old one stays."
      />
      {view.hasPassword && <PasswordField />}
    </SettingForm>
  )
}

function ProfileForm(props: PanelProps) {
  const { view } = props
  return (
    <SettingForm {...props} panel="profile" label="Profile" submit="Save Profile">
      <div className="field-row">
        <Field
          label="First name"
          name="firstName"
          autoComplete="given-name"
          maxLength={nameCharactersMax}
          defaultValue={view.firstName}
        />
        <Field
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          maxLength={nameCharactersMax}
          defaultValue={view.lastName}
        />
      </div>
    </SettingForm>
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
