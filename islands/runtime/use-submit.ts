import { useEffect, useRef, useState } from 'react'
import { isAskedToSignIn } from '#islands/member/after-sign-in'
import { act } from '#islands/runtime/act'
import { type Problem, problemOf } from '#islands/runtime/api-error'
import { type Failure, toastProblem } from '#islands/runtime/or-toast'
import { announce } from '#islands/site/show-dialog'
import { fieldName } from '#src/ui/field-problem'

/**
 * One submission at a time: `submit` does nothing while one runs, and returns the work's result, or undefined where it
 * failed. `problem` is the reason, until the next one; with a title it is a toast too. A field that was refused gets the
 * focus. `signal` is aborted when the island is unmounted. Where the session is over, the person signs in over the page,
 * and the work is done then. `given` is a problem that the page was rendered with: its field has the focus already.
 */
export function useSubmit({ title, otherwise }: Partial<Failure> = {}, given: Problem | null = null) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState(given)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const isToasted = title !== undefined
  useEffect(() => {
    if (!problem || problem === given || problem.field === null) return
    if (!leadToField(problem.field) && !isToasted) announce(problem.message)
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

/**
 * The field that was refused says why, and may be far from the button. False where the focus does not come to it: it has
 * it already, or there is none.
 */
function leadToField(field: string): boolean {
  const name = CSS.escape(fieldName(field))
  const refused = document.querySelector<HTMLElement>(`[name="${name}"][aria-invalid="true"]`)
  if (!refused || refused === document.activeElement) return false
  refused.focus()
  return true
}
