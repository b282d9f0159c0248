import type { ReactNode } from 'react'
import { emailCharactersMax } from '#src/member/rules'
import { NewPasswordField } from '#src/ui/account-fields'
import { ButtonLink } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { urls } from '#src/urls'
import { OpenButton } from './open-button'
import { type PanelProps, PasswordField, SettingForm } from './setting-form'

/** Password, data, history and account deletion. */
export function PrivacyPanel(props: PanelProps) {
  const { view, open, onOpen } = props
  return (
    <section className="panel" id="privacy" aria-labelledby="privacy-title">
      <h2 id="privacy-title">Privacy &amp; Security</h2>
      {view.hasPassword && (
        <Row name="Password" words="Other sessions and private feeds end when it changes.">
          <OpenButton panel="password" isOpen={open === 'password'} onOpen={onOpen}>
            Change Password
          </OpenButton>
        </Row>
      )}
      {view.hasPassword && open === 'password' && <PasswordForm {...props} />}
      <Row name="Your data" words="One zip: everything that is held about you, and your narrations.">
        <ButtonLink size="sm" href={urls.apiExport()} download="">
          Download My Data
        </ButtonLink>
      </Row>
      <Row
        name="History"
        words="Where you stopped in each item, on all devices. Favorites and your own items stay."
      >
        <OpenButton panel="history" isOpen={open === 'history'} onOpen={onOpen}>
          Clear History
        </OpenButton>
      </Row>
      {open === 'history' && <HistoryForm {...props} />}
      <Row name="Delete account" words="At once and for good. Votes and favorites go too.">
        <OpenButton panel="delete" kind="danger" isOpen={open === 'delete'} onOpen={onOpen}>
          Delete Account
        </OpenButton>
      </Row>
      {open === 'delete' && <DeleteForm {...props} />}
    </section>
  )
}

function PasswordForm(props: PanelProps) {
  return (
    <SettingForm {...props} panel="password" label="Change password" submit="Save Password">
      <Field
        label="Current password"
        type="password"
        name="currentPassword"
        autoComplete="current-password"
        required
      />
      <NewPasswordField label="New password" name="newPassword" />
    </SettingForm>
  )
}

function HistoryForm(props: PanelProps) {
  return (
    <SettingForm {...props} panel="history" label="Clear history" submit="Yes, clear it" kind="danger">
      <p className="hint">Everything you started begins from the start again. This cannot be undone.</p>
    </SettingForm>
  )
}

function DeleteForm(props: PanelProps) {
  const { view } = props
  return (
    <SettingForm
      {...props}
      panel="delete"
      label="Delete account"
      submit="Delete my account for good"
      kind="danger"
    >
      <p className="hint">
        There is no grace period: account, places, favorites, votes and what you made are gone at once, and
        nobody can bring them back. Download your data first if you want to keep it.
      </p>
      {view.hasPassword ? (
        <PasswordField />
      ) : (
        <Field
          label={`Type ${view.email ?? 'your email'} to be sure`}
          name="email"
          autoComplete="off"
          maxLength={emailCharactersMax}
          required
        />
      )}
    </SettingForm>
  )
}

function Row({ name, words, children }: { name: string; words: string; children: ReactNode }) {
  return (
    <div className="setting">
      <span>
        <b className="label">{name}</b>
        <span className="hint">{words}</span>
      </span>
      {children}
    </div>
  )
}
