import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Sending } from '#islands/import/send-files'
import { watchJob } from '#islands/import/watch-job'
import { isOperatorBack } from '#islands/member/after-sign-in'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { toastProblem } from '#islands/runtime/or-toast'
import type { DraftPlan, ImportDraft } from '#src/import/draft/schema'
import { outcomeWords } from '#src/import/wizard/draft-words'

export type ImportState = ReturnType<typeof useImportState>

export function useImportState(initial: ImportDraft | null) {
  const [draft, setDraft] = useState(initial)
  const [plan, setPlan] = useState<DraftPlan | null>(null)
  /** Audio files that were chosen here and are not sent yet. */
  const [chosen, setChosen] = useState<readonly File[]>([])
  const [sending, setSending] = useState<Sending | null>(null)
  const [isChecking, setChecking] = useState(isReady(initial))
  const stopping = useRef<AbortController | null>(null)
  const beginning = useRef<Promise<ImportDraft> | null>(null)
  const { isBusy, problem, setProblem, act } = useAct()
  useEffect(() => () => stopping.current?.abort(new Error('The page was left.')), [])

  async function loadPlan(of: ImportDraft): Promise<void> {
    const path = { id: of.id }
    const made = await act('Upload failed', () => operatorApi('GET /api/import-drafts/:id/plan', { path }))
    if (made) setPlan(made)
  }

  async function begun(): Promise<ImportDraft> {
    if (draft) return draft
    // A sheet and audio that are chosen before the response arrives belong to the same import.
    beginning.current ??= operatorApi('POST /api/import-drafts', { body: { files: [] } })
    try {
      const made = await beginning.current
      setDraft(made)
      return made
    } finally {
      beginning.current = null
    }
  }

  async function refresh(): Promise<void> {
    if (draft) setDraft(await readDraft(draft.id).catch(() => draft))
  }

  return {
    ...{ draft, setDraft, plan, setPlan, chosen, setChosen, sending, setSending, isChecking, setChecking },
    ...{ stopping, isBusy, problem, setProblem, act, loadPlan, begun, refresh },
  }
}

function useAct() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  /**
   * Runs an action, with `isBusy` set meanwhile. A refusal is shown on the page and in a toast with `title`, whose text
   * is `words` if given. If the operator's session is over, the action runs again once the token was entered.
   */
  async function act<T>(title: string, work: () => Promise<T>, words?: string): Promise<T | undefined> {
    setBusy(true)
    setProblem(null)
    try {
      return await work()
    } catch (error) {
      const message = problemOf(error, words ?? title).message
      setProblem(message)
      toastProblem(title, words ?? (message === title ? 'Please try again' : message))
      setBusy(false)
      if (await isOperatorBack(error)) return await act(title, work, words)
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, problem, setProblem, act }
}

/** Follows the job that applies an import, and resumes an import of an earlier visit. */
export function useWatchedJob({ draft, setDraft, loadPlan }: ImportState, initial: ImportDraft | null): void {
  const before = useRef(initial?.state)

  const jobId = draft?.state === 'running' ? draft.job?.id : undefined
  const draftId = draft?.id
  useEffect(() => {
    if (!jobId || !draftId) return
    const look = () => void readDraft(draftId).then(setDraft, () => null)
    const onJob = (job: NonNullable<ImportDraft['job']>) => {
      if (job.state === 'queued' || job.state === 'running') setDraft((now) => now && { ...now, job })
      else look()
    }
    return watchJob(jobId, onJob, look)
  }, [jobId, draftId, setDraft])

  const state = draft?.state
  const onState = useEffectEvent((now: ImportDraft['state'] | undefined) => {
    const isOver = before.current === 'running' && now !== 'running'
    before.current = now
    if (!isOver || !draft) return
    showOutcome(draft)
    if (now === 'open') void loadPlan(draft)
  })
  useEffect(() => onState(state), [state])

  /** Loads the plan of an import from an earlier visit. */
  const resume = useEffectEvent(() => {
    if (isReady(initial) && initial) void loadPlan(initial)
  })
  useEffect(() => resume(), [])
}

/** Whether an import can be planned: it has a sheet, and every announced file has been sent. */
export function isReady(draft: ImportDraft | null): boolean {
  return (
    draft?.state === 'open' &&
    draft.fileName !== null &&
    draft.sheetProblem === null &&
    draft.files.every(({ state }) => state !== 'waiting')
  )
}

export function readDraft(id: string): Promise<ImportDraft> {
  return operatorApi('GET /api/import-drafts/:id', { path: { id } })
}

function showOutcome({ state, outcome, job }: ImportDraft): void {
  emit('nocturne:operator-acted', {})
  if (state === 'applied' && outcome)
    emit('nocturne:toast', { kind: 'good', title: 'Import finished', description: outcomeWords(outcome) })
  else if (job?.state === 'failed') toastProblem('Upload failed', job.error ?? 'Please try again')
}
