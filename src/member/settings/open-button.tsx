import type { FormEvent } from 'react'
import { Button } from '#src/ui/button'
import { urls } from '#src/urls'
import type { OpenPanel, SettingsForm } from './settings-view-schema'

/** A button that opens a form of the settings. Without a script, the page is loaded with that form open. */
export function OpenButton({
  panel,
  isOpen,
  kind = 'quiet',
  onOpen,
  children,
}: {
  panel: OpenPanel
  isOpen: boolean
  kind?: 'quiet' | 'danger'
  onOpen: (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => void
  children: string
}) {
  return (
    <form
      action={`${urls.settings()}#${sectionOf[panel]}`}
      method="get"
      onSubmit={(event) => onOpen(panel, event)}
    >
      <input type="hidden" name="open" value={panel} />
      <Button id={openButtonId(panel)} kind={kind} size="sm" type="submit" aria-expanded={isOpen}>
        {children}
      </Button>
    </form>
  )
}

/** The id of the element that gets the focus when a form closes. */
export const openButtonId = (panel: SettingsForm) => `open-${panel}`

const sectionOf: Record<OpenPanel, string> = {
  profile: 'account',
  email: 'account',
  passkey: 'ways-in',
  password: 'privacy',
  history: 'privacy',
  delete: 'privacy',
}
