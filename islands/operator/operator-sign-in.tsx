import type { FormEvent } from 'react'
import { forgetAuthStatus } from '#islands/member/auth-status'
import { visit } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { toastProblem } from '#islands/runtime/or-toast'
import { useSubmit } from '#islands/runtime/use-submit'
import { type AccessEntrance, AccessForm } from '#src/operator/access-form'

/** The title of an error, by entrance. */
const failureTitles: Record<AccessEntrance, string> = {
  admin: 'Authentication Failed',
  'admin-login': 'Authentication Failed',
  'premium-content': 'Login failed',
}
/** How long the success is shown before the page changes. Only /admin-login shows it. */
const onAfterMs: Record<AccessEntrance, number> = { admin: 0, 'admin-login': 1_000, 'premium-content': 0 }

/** The token form, submitted without leaving the page. */
export default function OperatorSignIn({
  entrance,
  next,
  error,
  onDone,
}: {
  entrance: AccessEntrance
  next: string
  error?: string
  /** Called instead of going to `next`. */
  onDone?: () => void
}) {
  const { isBusy, problem, setProblem, submit } = useSubmit(
    { title: failureTitles[entrance], otherwise: 'Invalid admin token' },
    error === undefined ? null : { field: null, message: error },
  )

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const token = String(form.get('token') ?? '').trim()
    if (!token) {
      const message = 'Please enter the admin token'
      setProblem({ field: 'token', message })
      return toastProblem('Missing Token', message)
    }
    void submit(async () => {
      await api('POST /api/admin/login', { body: { token, name: String(form.get('name') ?? '') } })
      forgetAuthStatus()
      emit('nocturne:toast', { kind: 'good', title: 'Admin Access Granted' })
      if (onDone) return onDone()
      await new Promise((resolve) => setTimeout(resolve, onAfterMs[entrance]))
      await visit(next)
    })
  }

  return (
    <AccessForm
      entrance={entrance}
      next={next}
      error={problem?.message}
      isBusy={isBusy}
      onSubmit={onSubmit}
    />
  )
}
