import { type FormEvent, type ReactNode, useId } from 'react'
import { useHydrated } from '#islands/use-hydrated'
import { Button } from '#src/ui/button'
import { Switch } from '#src/ui/switch'
import { urls } from '#src/urls'
import { PinField } from './pin-field'
import type { SettingsView } from './settings-view'

type Chosen = SettingsView['settings']

/** What a member is told, and may do without; `push` is this browser's part of it. */
export function NotificationPanel({
  chosen,
  push,
  onChange,
}: {
  chosen: Chosen
  push: ReactNode
  onChange: (changes: Partial<Chosen>) => void
}) {
  const id = useId()
  const isHydrated = useHydrated()
  return (
    <section className="panel" id="notifications" aria-labelledby="notifications-title">
      <h2 id="notifications-title">Notifications</h2>
      <form action={urls.settingsForm('preferences')} method="post">
        <input type="hidden" name="panel" value="notifications" />
        <label className="setting" htmlFor={id}>
          <span>
            <b className="label">Email</b>
            <span className="hint">
              When a narration of yours is ready, and what is decided of what you shared or reported.
            </span>
          </span>
          <Switch
            id={id}
            name="emailNotifications"
            checked={chosen.emailNotifications}
            onChange={(event) => onChange({ emailNotifications: event.target.checked })}
          />
        </label>
        {!isHydrated && <SaveRow />}
      </form>
      {push}
    </section>
  )
}

/** How listening goes on; what `browserChoices` holds stays in this browser. */
export function PlaybackPanel({
  chosen,
  browserChoices,
  onChange,
}: {
  chosen: Chosen
  browserChoices: ReactNode
  onChange: (changes: Partial<Chosen>) => void
}) {
  const id = useId()
  const isHydrated = useHydrated()
  return (
    <section className="panel" id="playback" aria-labelledby="playback-title">
      <h2 id="playback-title">Playback</h2>
      <form action={urls.settingsForm('preferences')} method="post">
        <input type="hidden" name="panel" value="playback" />
        <label className="setting" htmlFor={id}>
          <span>
            <b className="label">Auto-play next content</b>
            <span className="hint">When an item ends, the next in the queue begins.</span>
          </span>
          <Switch
            id={id}
            name="autoPlayNext"
            checked={chosen.autoPlayNext}
            onChange={(event) => onChange({ autoPlayNext: event.target.checked })}
          />
        </label>
        {isHydrated ? browserChoices : <SaveRow />}
      </form>
    </section>
  )
}

const themeChoices = [
  { value: 'dark', label: 'Night' },
  { value: 'paper', label: 'Paper' },
  { value: 'system', label: 'System' },
] as const

/** Night, paper, or as the system is set: each choice a button that carries it. */
export function AppearancePanel({
  chosen,
  onSubmit,
}: {
  chosen: Chosen
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}) {
  return (
    <section className="panel" id="look" aria-labelledby="look-title">
      <h2 id="look-title">Appearance</h2>
      <form
        className="setting"
        action={urls.settingsForm('preferences')}
        method="post"
        aria-label="Theme"
        onSubmit={onSubmit}
      >
        <span>
          <b className="label">Theme</b>
          <span className="hint">Night, paper, or as your system is set.</span>
        </span>
        <span className="segment">
          {themeChoices.map(({ value, label }) => (
            <button
              key={value}
              type="submit"
              name="theme"
              value={value}
              aria-pressed={(chosen.theme ?? 'system') === value}
            >
              {label}
            </button>
          ))}
        </span>
      </form>
    </section>
  )
}

/** Plain titles, icon, lock screen and mails; and what that does not hide. */
export function DiscretionPanel({
  chosen,
  hasPin,
  onChange,
}: {
  chosen: Chosen
  hasPin: boolean
  onChange: (changes: Partial<Chosen>) => void
}) {
  const id = useId()
  const isHydrated = useHydrated()
  return (
    <section className="panel" id="discretion" aria-labelledby="discretion-title">
      <h2 id="discretion-title">Discretion</h2>
      <form action={urls.settingsForm('preferences')} method="post">
        <input type="hidden" name="panel" value="discretion" />
        <label className="setting" htmlFor={id}>
          <span>
            <b className="label">Discreet mode</b>
            <span className="hint">
              Plain page titles, a plain icon, a plain lock screen, plain mail subjects. Esc twice leaves at
              once.
            </span>
          </span>
          <Switch
            id={id}
            name="discreetMode"
            checked={chosen.discreetMode}
            onChange={(event) => onChange({ discreetMode: event.target.checked })}
          />
        </label>
        {!isHydrated && <SaveRow />}
      </form>
      <PinForms hasPin={hasPin} />
      <p className="hint">
        It does not hide everything: the browser’s history keeps the addresses of pages, pages that were seen
        before keep their old titles there, browsers add this site’s address to a notification, and whoever
        runs the network sees the name of this site.
      </p>
    </section>
  )
}

/** Plain forms: a PIN is chosen rarely, and the page behind it should be a new one. */
function PinForms({ hasPin }: { hasPin: boolean }) {
  const action = urls.settingsForm('pin')
  return (
    <div className="stack setting-form">
      <form className="stack-sm" action={action} method="post" data-hard="" aria-label="PIN on opening">
        <PinField label={hasPin ? 'New PIN' : 'PIN on opening'} hint={pinHint} />
        <div className="btn-row">
          <Button size="sm" type="submit">
            {hasPin ? 'Change the PIN' : 'Set a PIN'}
          </Button>
        </div>
      </form>
      {hasPin && (
        <form action={action} method="post" data-hard="" aria-label="No PIN">
          <input type="hidden" name="remove" value="yes" />
          <Button size="sm" kind="ghost" type="submit">
            Remove the PIN
          </Button>
        </form>
      )}
    </div>
  )
}

const pinHint =
  'Four to eight digits, asked for when the browser is opened anew and after ten minutes away. Forgotten? Sign in with your password.'

function SaveRow() {
  return (
    <div className="btn-row">
      <Button size="sm" type="submit">
        Save
      </Button>
    </div>
  )
}
