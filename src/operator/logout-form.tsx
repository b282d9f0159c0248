import type { FormEventHandler } from 'react'
import { consoleUrls } from '#src/console-urls'
import { Icon } from '#src/ui/icon'

export function LogoutForm({ onSubmit }: { onSubmit?: FormEventHandler<HTMLFormElement> }) {
  return (
    <form action={consoleUrls.adminLogout()} method="post" onSubmit={onSubmit}>
      <button className="btn btn-quiet" type="submit">
        <Icon name="i-lucide-sm-log-out" />
        Logout
      </button>
    </form>
  )
}
