import type { FormEventHandler } from 'react'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

export function LogoutForm({ onSubmit }: { onSubmit?: FormEventHandler<HTMLFormElement> }) {
  return (
    <form action={urls.adminLogout()} method="post" onSubmit={onSubmit}>
      <button className="btn btn-quiet" type="submit">
        <Icon name="i-lucide-sm-log-out" />
        Logout
      </button>
    </form>
  )
}
