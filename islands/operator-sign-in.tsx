import { type FormEvent, useState } from 'react'
import { ApiError, apiCall } from '#islands/api-call'
import { forgetAuthStatus } from '#islands/auth-status'
import { emit } from '#islands/events'
import { visit } from '#islands/visit'
import { type AccessDoor, AccessForm } from '#src/operator/access-form'
import { urls } from '#src/urls'

/** What a refusal is headed with, by door (operator.md §8). */
const failureTitles: Record<AccessDoor, string> = {
  admin: 'Authentication Failed',
  'admin-login': 'Authentication Failed',
  'premium-content': 'Login failed',
}
/** /admin-login leaves a moment to read that it went well (operator.md §2). */
const onAfterMs: Record<AccessDoor, number> = { admin: 0, 'admin-login': 1_000, 'premium-content': 0 }

/** The token form, sent without leaving the page. */
export default function OperatorSignIn({
  door,
  next,
  error,
  onDone,
}: {
  door: AccessDoor
  next: string
  error?: string
  /** In place of going on to `next`. */
  onDone?: () => void
}) {
  const [failure, setFailure] = useState(error)
  const [isBusy, setBusy] = useState(false)

  const fail = (title: string, description: string) => {
    setFailure(description)
    emit('nocturne:toast', { kind: 'bad', title, description })
  }

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const token = String(form.get('token') ?? '').trim()
    if (!token) return fail('Missing Token', 'Please enter the admin token')
    setFailure(undefined)
    setBusy(true)
    try {
      await apiCall(urls.apiAdmin('login'), {
        method: 'POST',
        body: { token, name: String(form.get('name') ?? '') },
      })
    } catch (cause) {
      setBusy(false)
      const said = cause instanceof ApiError ? cause.said : null
      return fail(failureTitles[door], said ?? 'Invalid admin token')
    }
    forgetAuthStatus()
    emit('nocturne:toast', { kind: 'good', title: 'Admin Access Granted' })
    if (onDone) return onDone()
    setTimeout(() => void visit(next), onAfterMs[door])
  }

  return <AccessForm door={door} next={next} error={failure} isBusy={isBusy} onSubmit={onSubmit} />
}
