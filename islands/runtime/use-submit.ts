import { useEffect, useRef, useState } from 'react'
import { isAskedToSignIn } from '#islands/member/after-sign-in'
import { act } from '#islands/runtime/act'
import { type Problem, problemOf } from '#islands/runtime/api-error'
import { type Failure, toastProblem } from '#islands/runtime/or-toast'
import { announce } from '#islands/site/show-dialog'
import { fieldName } from '#src/ui/field-problem'

/**
 * Runs one submission at a time: `submit` does nothing while one runs. It returns the result of `work`, or undefined on
 * failure.
 * - `problem` is the reason of the failure, until the next submission; with a `title` it is shown in a toast too. The
 *   refused field gets the focus.
 * - `signal` is aborted when the island is unmounted.
 * - If the session is over, the person signs in over the page, and the work runs again after that.
 * - `given` is a problem that the page was rendered with: its field has the focus already.
 */
export function useSubmit({ title, otherwise }: Partial<Failure> = {}, given: Problem | null = null) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState(given)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const isToasted = title !== undefined
  useEffect(() => {
    if (!problem || problem === given || problem.field === null) return
    // If the refused field has the focus already, focusing it announces nothing. If no field is marked, a notice shows
    // the problem.
    const refused = findRefused(problem.field)
    if (refused !== document.activeElement) refused?.focus()
    else if (!isToasted) announce(problem.message)
  }, [problem, given, isToasted])

  async function submit<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (running.current) return
    const own = new AbortController()
    running.current = own
    setBusy(true)
    setProblem(null)
    try {
      return await act(() => work(own.signal))
    } catch (error) {
      if (own.signal.aborted && error === own.signal.reason) return
      if (isAskedToSignIn(error, () => void submit(work))) return
      const shown = problemOf(error, otherwise)
      setProblem(shown)
      if (title) toastProblem(title, shown.message)
    } finally {
      running.current = null
      setBusy(false)
    }
  }
  return { isBusy, problem, setProblem, submit }
}

/** Finds the field that is marked as invalid. It shows the reason itself, and may be far from the button. */
function findRefused(field: string): HTMLElement | null {
  return document.querySelector(`[name="${CSS.escape(fieldName(field))}"][aria-invalid="true"]`)
}
