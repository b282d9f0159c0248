import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { PanelProps } from './account-panel'
import { OpenButton } from './open-button'
import { emailCharactersMax, passwordCharactersMin } from './rules'
import type { OpenPanel } from './settings-view'

/** Password, data, history and the way out. */
export function PrivacyPanel(props: PanelProps) {
  const { view, open, onOpen } = props
  return (
    <section className="panel" id="privacy" aria-labelledby="privacy-title">
      <h2 id="privacy-title">Privacy &amp; Security</h2>
      {view.hasPassword && (
        <Row name="Password" words="Other sessions end when it changes.">
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

function PasswordForm({ problem, isBusy, onSubmit }: PanelProps) {
  const { general, errorOf } = problemsOf('password', problem)
  return (
    <form
      className="stack setting-form"
      action={urls.settingsForm('password')}
      method="post"
      aria-label="Change password"
      onSubmit={(event) => onSubmit('password', event)}
    >
      {general && <Notice kind="bad">{general}</Notice>}
      <Field
        label="Current password"
        type="password"
        name="currentPassword"
        autoComplete="current-password"
        required
        error={errorOf('currentPassword')}
      />
      <Field
        label="New password"
        type="password"
        name="newPassword"
        autoComplete="new-password"
        minLength={passwordCharactersMin}
        required
        hint={`Minimum ${passwordCharactersMin} characters`}
        error={errorOf('newPassword')}
      />
      <div className="btn-row">
        <Button kind="primary" type="submit" disabled={isBusy}>
          Save Password
        </Button>
      </div>
    </form>
  )
}

function HistoryForm({ problem, isBusy, onSubmit }: PanelProps) {
  const { general } = problemsOf('history', problem)
  return (
    <form
      className="stack setting-form"
      action={urls.settingsForm('history')}
      method="post"
      aria-label="Clear history"
      onSubmit={(event) => onSubmit('history', event)}
    >
      {general && <Notice kind="bad">{general}</Notice>}
      <p className="hint">Everything you began starts from the beginning again. This cannot be taken back.</p>
      <div className="btn-row">
        <Button kind="danger" type="submit" disabled={isBusy}>
          Yes, clear it
        </Button>
      </div>
    </form>
  )
}

function DeleteForm({ view, problem, isBusy, onSubmit }: PanelProps) {
  const { general, errorOf } = problemsOf('delete', problem)
  return (
    <form
      className="stack setting-form"
      action={urls.settingsForm('delete')}
      method="post"
      aria-label="Delete account"
      onSubmit={(event) => onSubmit('delete', event)}
    >
      {general && <Notice kind="bad">{general}</Notice>}
      <p className="hint">
        There is no grace period: account, places, favorites, votes and what you made are gone at once, and
        nobody can bring them back. Download your data first if you want to keep it.
      </p>
      {view.hasPassword ? (
        <Field
          label="Your password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          error={errorOf('password')}
        />
      ) : (
        <Field
          label={`Type ${view.email ?? 'your email'} to be sure`}
          name="email"
          autoComplete="off"
          maxLength={emailCharactersMax}
          required
          error={errorOf('email')}
        />
      )}
      <div className="btn-row">
        <Button kind="danger" type="submit" disabled={isBusy}>
          Delete my account for good
        </Button>
      </div>
    </form>
  )
}

function problemsOf(panel: OpenPanel, problem: PanelProps['problem']) {
  const found = problem?.panel === panel ? problem : null
  return {
    general: found && found.field === null ? found.message : null,
    errorOf: (field: string) => (found?.field === field ? found.message : undefined),
  }
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
