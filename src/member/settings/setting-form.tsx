import type { FormEvent, ReactNode } from 'react'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { OpenPanel, SettingsForm, SettingsProblem, SettingsView } from './settings-view-schema'

export type PanelProps = {
  view: SettingsView
  open: OpenPanel | null
  problem: SettingsProblem | null
  isBusy: boolean
  /** Opens a form, or closes it again. */
  onOpen: (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => void
  onSubmit: (panel: SettingsForm, event: FormEvent<HTMLFormElement>) => void
}

/**
 * A form of the settings that opens on request. The server's refusal stands beside its field, where `children` places
 * it, or above where none of `fields` is concerned.
 */
export function SettingForm({
  panel,
  label,
  fields = [],
  submit,
  kind = 'primary',
  problem,
  isBusy,
  onSubmit,
  children,
}: Pick<PanelProps, 'problem' | 'isBusy' | 'onSubmit'> & {
  panel: OpenPanel
  label: string
  /** The names of the fields that are shown. */
  fields?: readonly string[]
  submit: string
  kind?: 'primary' | 'danger'
  children: (errorOf: (field: string) => string | undefined) => ReactNode
}) {
  const found = problem?.panel === panel ? problem : null
  const isBeside = found?.field != null && fields.includes(found.field)
  return (
    <form
      className="stack setting-form"
      // A passkey needs a script.
      action={panel === 'passkey' ? undefined : urls.settingsForm(panel)}
      method="post"
      aria-label={label}
      onSubmit={(event) => onSubmit(panel, event)}
    >
      {found && !isBeside && <Notice kind="bad">{found.message}</Notice>}
      {children((field) => (found?.field === field ? found.message : undefined))}
      <div className="btn-row">
        <Button kind={kind} type="submit" isBusy={isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** The password again, before an action that cannot be undone or adds access to the account. */
export function PasswordField({ error, isRequired = true }: { error?: string; isRequired?: boolean }) {
  return (
    <Field
      label="Your password"
      type="password"
      name="password"
      autoComplete="current-password"
      required={isRequired}
      error={error}
    />
  )
}
