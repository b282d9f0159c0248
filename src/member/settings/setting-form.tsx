import type { FormEvent, ReactNode } from 'react'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { urls } from '#src/urls'
import type { OpenPanel, SettingsForm, SettingsProblem, SettingsView } from './settings-view-schema'

export type PanelProps = {
  view: SettingsView
  open: OpenPanel | null
  problem: SettingsProblem | null
  isBusy: boolean
  /** Toggles a form. */
  onOpen: (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => void
  onSubmit: (panel: SettingsForm, event: FormEvent<HTMLFormElement>) => void
}

/** A form of the settings that opens on request. */
export function SettingForm({
  panel,
  label,
  submit,
  kind = 'primary',
  problem,
  isBusy,
  onSubmit,
  children,
}: Pick<PanelProps, 'problem' | 'isBusy' | 'onSubmit'> & {
  panel: OpenPanel
  label: string
  submit: string
  kind?: 'primary' | 'danger'
  children: ReactNode
}) {
  return (
    <form
      className="stack setting-form"
      // A passkey needs a script, so its form has no address to post to.
      action={panel === 'passkey' ? undefined : urls.settingsForm(panel)}
      method="post"
      aria-label={label}
      onSubmit={(event) => onSubmit(panel, event)}
    >
      <FormFields problem={problem?.panel === panel ? problem : null}>{children}</FormFields>
      <div className="btn-row">
        <Button kind={kind} type="submit" isBusy={isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** Asks for the password again before an action that cannot be undone or adds access to the account. */
export function PasswordField({ isRequired = true }: { isRequired?: boolean }) {
  return (
    <Field
      label="Your password"
      type="password"
      name="password"
      autoComplete="current-password"
      required={isRequired}
    />
  )
}
