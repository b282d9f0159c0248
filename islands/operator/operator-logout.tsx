import type { FormEvent } from 'react'
import { forgetAuthStatus } from '#islands/member/auth-status'
import { reload } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { LogoutForm } from '#src/operator/logout-form'

/** Button on the operator's page that ends the session. */
export default function OperatorLogout() {
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    try {
      await api('POST /api/admin/logout')
    } catch {
      return form.submit()
    }
    forgetAuthStatus()
    emit('nocturne:toast', { kind: 'good', title: 'Logged Out', description: 'Admin session ended.' })
    await reload()
  }
  return <LogoutForm onSubmit={onSubmit} />
}
