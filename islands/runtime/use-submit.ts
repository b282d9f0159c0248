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
    // Where the refused field has the focus already, nothing else would say why; where none is marked, a notice does.
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

/** The field says why itself, and may be far from the button. */
function findRefused(field: string): HTMLElement | null {
  return document.querySelector(`[name="${CSS.escape(fieldName(field))}"][aria-invalid="true"]`)
}
