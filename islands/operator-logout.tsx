import type { FormEvent } from 'react'
import { apiCall } from '#islands/api-call'
import { forgetAuthStatus } from '#islands/auth-status'
import { emit } from '#islands/events'
import { reload } from '#islands/visit'
import { LogoutForm } from '#src/operator/logout-form'
import { urls } from '#src/urls'

/** Ends the operator's session where one stands. */
export default function OperatorLogout() {
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    try {
      await apiCall(urls.apiAdmin('logout'), { method: 'POST', body: {} })
    } catch {
      return form.submit()
    }
    forgetAuthStatus()
    emit('nocturne:toast', { kind: 'good', title: 'Logged Out', description: 'Admin session ended.' })
    await reload()
  }
  return <LogoutForm onSubmit={onSubmit} />
}
