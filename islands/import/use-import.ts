import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Sending, sendFiles } from '#islands/import/send-files'
import { watchJob } from '#islands/import/watch-job'
import { isOperatorBack } from '#islands/member/after-sign-in'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { toastProblem } from '#islands/runtime/or-toast'
import { sendFile } from '#islands/runtime/send-file'
import type { ApplyOptions, DraftPlan, ImportDraft } from '#src/import/draft/schema'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import { outcomeWords } from '#src/import/wizard/draft-words'
import { listWords } from '#src/import/wizard/result'

/** The state of the import on this screen, and its actions. The server stores all but `chosen`. */
export function useImport(initial: ImportDraft | null) {
  const state = useImportState(initial)
  useWatchedJob(state, initial)
  const { draft, plan, chosen, sending, isChecking, isBusy, problem, refresh } = state
  return {
    ...{ draft, plan, chosen, sending, isChecking, isBusy, problem, refresh },
    ...fileActions(state),
    ...choiceActions(state),
    ...runActions(state),
  }
}

type ImportState = ReturnType<typeof useImportState>

function useImportState(initial: ImportDraft | null) {
  const [draft, setDraft] = useState(initial)
  const [plan, setPlan] = useState<DraftPlan | null>(null)
  /** Audio that was chosen here and is not sent. */
  const [chosen, setChosen] = useState<readonly File[]>([])
  const [sending, setSending] = useState<Sending | null>(null)
  const [isChecking, setChecking] = useState(isReady(initial))
  const stopping = useRef<AbortController | null>(null)
  const { isBusy, problem, setProblem, act } = useAct()
  useEffect(() => () => stopping.current?.abort(new Error('The page was left.')), [])

  async function loadPlan(of: ImportDraft): Promise<void> {
    const path = { id: of.id }
    const made = await act('Upload failed', () => operatorApi('GET /api/import-drafts/:id/plan', { path }))
    if (made) setPlan(made)
  }

  async function begun(): Promise<ImportDraft> {
    if (draft) return draft
    const made = await operatorApi('POST /api/import-drafts', { body: { files: [] } })
    setDraft(made)
    return made
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
   * Runs one action at a time; a refusal is shown on the page, and in a toast under `title`, in `words` where given.
   * Where the operator's session is over, the action runs again once the token was entered.
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
function useWatchedJob({ draft, setDraft, loadPlan }: ImportState, initial: ImportDraft | null): void {
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

  /** The import of an earlier visit. */
  const resume = useEffectEvent(() => {
    if (isReady(initial) && initial) void loadPlan(initial)
  })
  useEffect(() => resume(), [])
}

function fileActions(state: ImportState) {
  const { draft, setDraft, chosen, setChosen, isChecking, act, begun, loadPlan } = state

  async function chooseSheet(file: File): Promise<void> {
    const form = new FormData()
    form.set('excel', file, file.name)
    const next = await act(
      'Preview failed',
      async () => {
        const { id } = await begun()
        return sendFile('POST /api/import-drafts/:id/sheet', { path: { id }, form })
      },
      // The toast is short; the corrections to make stand on the page.
      'Could not parse file for preview',
    )
    if (!next) return
    setDraft(next)
    await replan(state, next)
  }

  async function chooseAudio(files: readonly File[]): Promise<void> {
    const names = new Set(files.map(({ name }) => name))
    const all = [...chosen.filter(({ name }) => !names.has(name)), ...files]
    setChosen(all)
    if (isChecking) await send(state, all)
  }

  /** Step 2: sends the chosen files, and requests the plan. */
  async function upload(): Promise<void> {
    if (draft?.fileName == null) return toastProblem('Missing file', 'Please select an Excel/CSV file')
    if (draft.sheetProblem !== null) return toastProblem('Preview failed', draft.sheetProblem)
    await send(state, chosen)
  }

  async function removeFile(fileName: string): Promise<void> {
    setChosen((all) => all.filter(({ name }) => name !== fileName))
    const file = draft?.files.find((each) => each.fileName === fileName)
    if (!draft || !file) return
    const next = await act('Upload failed', async () => {
      const path = { id: draft.id, fileId: file.id }
      await operatorApi('DELETE /api/import-drafts/:id/files/:fileId', { path })
      return readDraft(draft.id)
    })
    if (!next) return
    setDraft(next)
    if (isChecking) await loadPlan(next)
  }

  /** Announced files that were never sent are not waited for any longer. */
  async function leaveOut(): Promise<void> {
    if (!draft) return
    const given = { path: { id: draft.id }, body: { files: [] } }
    const next = await act('Upload failed', () => operatorApi('PUT /api/import-drafts/:id/files', given))
    if (next) setDraft(next)
  }

  const stop = () => state.stopping.current?.abort(new DOMException('Stopped.', 'AbortError'))
  return { chooseSheet, chooseAudio, upload, stop, removeFile, leaveOut }
}

function choiceActions(state: ImportState) {
  const { draft, setDraft, act } = state

  /** Sheets, columns and hidden rows of the file. */
  async function chooseFrom(choices: SheetChoices): Promise<void> {
    if (!draft) return
    const given = { path: { id: draft.id }, body: choices }
    const next = await act('Upload failed', () => operatorApi('PUT /api/import-drafts/:id/sheet', given))
    if (!next) return
    setDraft(next)
    await replan(state, next)
  }

  return { chooseFrom }
}

/** A plan of other rows, or none where the sheet has nothing to import. */
async function replan(state: ImportState, next: ImportDraft): Promise<void> {
  if (!state.isChecking) return
  if (next.sheetProblem === null) await state.loadPlan(next)
  else state.setChecking(false)
}

async function send(state: ImportState, files: readonly File[]): Promise<void> {
  const { stopping, act, begun, refresh, setChosen, setDraft, setProblem } = state
  const own = new AbortController()
  stopping.current = own
  const sent = await act('Upload failed', async () => {
    const from = await begun()
    if (files.length === 0) return { draft: from, unreadable: [] }
    return sendFiles(from, files, state.setSending, own.signal).finally(() => state.setSending(null))
  })
  if (own.signal.aborted || !sent) return void (await refresh())
  setChosen([])
  setDraft(sent.draft)
  if (sent.unreadable.length > 0)
    setProblem(`${listWords(sent.unreadable)} could not be read any more. Choose the files again.`)
  if (!isReady(sent.draft))
    return setProblem('Choose the audio files that have not been sent, or leave them out.')
  await state.loadPlan(sent.draft)
  state.setChecking(true)
}

function runActions({ draft, setDraft, setPlan, setChosen, setChecking, act, refresh }: ImportState) {
  async function apply(options: ApplyOptions): Promise<void> {
    if (!draft) return
    await act('Upload failed', async () => {
      await operatorApi('POST /api/import-drafts/:id/apply', { path: { id: draft.id }, body: options })
      // A small import may have finished by now: its outcome is shown all the same.
      setDraft({ ...draft, state: 'running', job: null })
      setDraft(await readDraft(draft.id))
    })
  }

  async function cancel(): Promise<void> {
    const job = draft?.job
    if (!draft || !job) return
    const path = { id: job.id }
    await act('Upload failed', () => operatorApi('POST /api/jobs/:id/cancel', { path }))
    await refresh()
  }

  /** Leaves this import; the imported items stay. */
  async function startAnew(): Promise<void> {
    if (draft) {
      const path = { id: draft.id }
      if (!(await act('Error', () => operatorApi('DELETE /api/import-drafts/:id', { path })))) return
    }
    setDraft(null)
    setPlan(null)
    setChosen([])
    setChecking(false)
  }

  return { apply, cancel, startAnew }
}

/** There is a sheet, and no announced file is missing. */
function isReady(draft: ImportDraft | null): boolean {
  return (
    draft?.state === 'open' &&
    draft.fileName !== null &&
    draft.sheetProblem === null &&
    draft.files.every(({ state }) => state !== 'waiting')
  )
}

function readDraft(id: string): Promise<ImportDraft> {
  return operatorApi('GET /api/import-drafts/:id', { path: { id } })
}

function showOutcome({ state, outcome, job }: ImportDraft): void {
  emit('nocturne:operator-acted', {})
  if (state === 'applied' && outcome)
    emit('nocturne:toast', { kind: 'good', title: 'Import finished', description: outcomeWords(outcome) })
  else if (job?.state === 'failed') toastProblem('Upload failed', job.error ?? 'Please try again')
}
