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

/** Changes of one thing on their way, one after the other. `saved` is what the server has; null where nobody knows. */
type Line<Value> = { saved: Value | null; last: Promise<void> }

type Change<Value> = {
  /** What is shown now: the server's, where no change is on its way. Null: nobody knows. */
  before: Value | null
  /** Called where nothing follows, with what the server has, also after a failure. */
  show: (saved: Value | null) => void
  send: (signal: AbortSignal) => Promise<Value>
}

/** A change that is not answered for so long is given up, so that it does not hold the next ones back for good. */
export const unansweredMs = 20_000

/**
 * What a person changes is shown at once and saved later. The changes of one thing, by its key, are sent one after the
 * other, so that the last one counts, on the server too.
 */
export function createSaveLines<Value>() {
  const lines = new Map<string, Line<Value>>()

  /** Returns what the server has saved. Throws what `send` throws. */
  return async (key: string, { before, show, send }: Change<Value>): Promise<Value> => {
    const line = lines.get(key) ?? { saved: before, last: Promise.resolve() }
    lines.set(key, line)
    const sent = line.last.then(() => withinTime(send))
    const mine = sent.then(
      (saved) => {
        line.saved = saved
      },
      () => {},
    )
    line.last = mine
    await mine
    if (line.last === mine) {
      lines.delete(key)
      show(line.saved)
    }
    return sent
  }
}

async function withinTime<Value>(send: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const givenUp = new AbortController()
  const timer = setTimeout(() => givenUp.abort(), unansweredMs)
  try {
    return await send(givenUp.signal)
  } finally {
    clearTimeout(timer)
  }
}
