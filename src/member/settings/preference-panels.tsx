import type { ReactNode, SubmitEvent } from 'react'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { PinField } from '#src/member/pin/pin-field'
import { type SwitchPanel, switchPanels } from '#src/member/settings/switch-panel-rules'
import { Button } from '#src/ui/button'
import { SettingSwitch } from '#src/ui/switch'
import { urls } from '#src/urls'
import type { SettingsView } from './settings-view-schema'

type Chosen = SettingsView['settings']

/** The notifications that a member can turn off. `push` is the part for this browser. */
export function NotificationPanel({
  chosen,
  push,
  onChange,
}: {
  chosen: Chosen
  push: ReactNode
  onChange: (changes: Partial<Chosen>) => void
}) {
  return (
    <section className="panel" id="notifications" aria-labelledby="notifications-title">
      <h2 id="notifications-title">Notifications</h2>
      <SwitchForm panel="notifications" chosen={chosen} onChange={onChange} />
      {push}
    </section>
  )
}

/** Playback settings; those in `browserChoices` are stored in this browser. */
export function PlaybackPanel({
  chosen,
  browserChoices,
  onChange,
}: {
  chosen: Chosen
  browserChoices: ReactNode
  onChange: (changes: Partial<Chosen>) => void
}) {
  return (
    <section className="panel" id="playback" aria-labelledby="playback-title">
      <h2 id="playback-title">Playback</h2>
      <SwitchForm panel="playback" chosen={chosen} onChange={onChange}>
        {browserChoices}
      </SwitchForm>
    </section>
  )
}

const themeChoices = [
  { value: 'dark', label: 'Night' },
  { value: 'paper', label: 'Paper' },
  { value: 'system', label: 'System' },
] as const

/** Night, paper, or the system's theme. Each choice is a submit button with its value. */
export function AppearancePanel({
  chosen,
  onSubmit,
}: {
  chosen: Chosen
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
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
          <span className="hint">Night, paper, or the setting of your system.</span>
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

/** Plain titles, icon, lock screen and mails, with a note on what this does not hide. */
export function DiscretionPanel({
  chosen,
  hasPin,
  onChange,
}: {
  chosen: Chosen
  hasPin: boolean
  onChange: (changes: Partial<Chosen>) => void
}) {
  return (
    <section className="panel" id="discretion" aria-labelledby="discretion-title">
      <h2 id="discretion-title">Discretion</h2>
      <SwitchForm panel="discretion" chosen={chosen} onChange={onChange} />
      <PinForms hasPin={hasPin} />
      <p className="hint">
        It does not hide everything: the browser’s history keeps the addresses of pages, pages that were seen
        before keep their old titles there, browsers add this site’s address to a notification, and whoever
        runs the network sees the name of this site.
      </p>
    </section>
  )
}

/**
 * Forms that set, change and remove the PIN. They are plain: a PIN is set rarely, and the page should reload
 * afterwards.
 */
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
  'Four to eight digits, asked for when the browser is reopened and after ten minutes away. Forgotten? Sign in with your password.'

/** The switch of a panel. It is saved at once or, without a script, by a button. `children` need the script. */
function SwitchForm({
  panel,
  chosen,
  onChange,
  children,
}: {
  panel: SwitchPanel
  chosen: Chosen
  onChange: (changes: Partial<Chosen>) => void
  children?: ReactNode
}) {
  const isHydrated = useHydrated()
  const { setting, label, hint } = switchPanels[panel]
  return (
    <form action={urls.settingsForm('preferences')} method="post">
      <input type="hidden" name="panel" value={panel} />
      <SettingSwitch
        title={label}
        words={hint}
        name={setting}
        checked={chosen[setting]}
        onChange={(event) => onChange({ [setting]: event.target.checked })}
      />
      {isHydrated ? (
        children
      ) : (
        <div className="btn-row">
          <Button size="sm" type="submit">
            Save
          </Button>
        </div>
      )}
    </form>
  )
}
