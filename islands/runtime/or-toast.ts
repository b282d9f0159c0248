import { isAskedToSignIn } from '#islands/member/after-sign-in'
import { act } from '#islands/runtime/act'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'

/** How a failure is shown: the toast's title, and its text if the server sends none. */
export type Failure = { title: string; otherwise?: string }

/** Returns the result of `work`. On failure it shows a toast and returns undefined. */
export async function orToast<T>(work: () => Promise<T>, { title, otherwise }: Failure) {
  try {
    return await act(work)
  } catch (error) {
    if (!isAskedToSignIn(error, () => void orToast(work, { title, otherwise })))
      toastProblem(title, problemOf(error, otherwise).message)
  }
}

export function toastProblem(title: string, description: string): void {
  emit('nocturne:toast', { kind: 'bad', title, description })
}
