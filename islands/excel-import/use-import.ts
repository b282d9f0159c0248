import { useEffect, useRef, useState } from 'react'
import { emit } from '#islands/events'
import { type Sending, sendFiles } from '#islands/excel-import/send-files'
import { watchJob } from '#islands/excel-import/watch-job'
import { failureWords, operatorCall } from '#islands/operator-call'
import { sendFile } from '#islands/send-file'
import type { ApplyOptions, Draft, DraftPlan } from '#src/import/draft/schema'
import { listWords } from '#src/import/wizard/result'
import { outcomeWords } from '#src/import/wizard/words'
import { urls } from '#src/urls'

/** What the screen knows of the import, and what can be done with it. The server keeps all but `chosen`. */
export function useImport(initial: Draft | null) {
  const [draft, setDraft] = useState(initial)
  const [plan, setPlan] = useState<DraftPlan | null>(null)
  /** Audio that was chosen here and is not sent. */
  const [chosen, setChosen] = useState<readonly File[]>([])
  const [sending, setSending] = useState<Sending | null>(null)
  const [isChecking, setChecking] = useState(isReady(initial))
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const stopping = useRef<AbortController | null>(null)

  const before = useRef(initial?.state)

  const jobId = draft?.state === 'running' ? draft.job?.id : undefined
  const draftId = draft?.id
  useEffect(() => {
    if (!jobId || !draftId) return
    const look = () => void readDraft(draftId).then(setDraft, () => null)
    const onJob = (job: NonNullable<Draft['job']>) => {
      if (job.state === 'queued' || job.state === 'running') setDraft((now) => now && { ...now, job })
      else look()
    }
    return watchJob(jobId, onJob, look)
  }, [jobId, draftId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the job has come to its end
  useEffect(() => {
    const isOver = before.current === 'running' && draft?.state !== 'running'
    before.current = draft?.state
    if (!isOver || !draft) return
    tellEnd(draft)
    if (draft.state === 'open') void loadPlan(draft)
  }, [draft?.state])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what an earlier visit has left
  useEffect(() => {
    if (isReady(initial) && initial) void loadPlan(initial)
    return () => stopping.current?.abort(new Error('The page was left.'))
  }, [])

  /** Does one thing at a time; what the server declines is told under `title`. */
  async function act<T>(title: string, work: () => Promise<T>): Promise<T | undefined> {
    setBusy(true)
    setProblem(null)
    try {
      return await work()
    } catch (error) {
      const said = failureWords(error, title)
      setProblem(said)
      fail(title, said === title ? 'Please try again' : said)
    } finally {
      setBusy(false)
    }
  }

  async function loadPlan(of: Draft): Promise<void> {
    const made = await act('Upload failed', () => operatorCall(urls.apiImportDraftPart(of.id, 'plan')))
    if (made) setPlan(made as DraftPlan)
  }

  async function begun(): Promise<Draft> {
    if (draft) return draft
    const made = (await operatorCall(urls.apiImportDrafts(), {
      method: 'POST',
      body: { files: [] },
    })) as Draft
    setDraft(made)
    return made
  }

  async function chooseSheet(file: File): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const form = new FormData()
      form.set('excel', file, file.name)
      const { id } = await begun()
      const next = (await sendFile(urls.apiImportDraftPart(id, 'sheet'), form, () => {})) as Draft
      setDraft(next)
      if (isChecking) await loadPlan(next)
    } catch (error) {
      // The toast is the specification's; what to mend stands on the page.
      setProblem(failureWords(error, 'Could not parse file for preview'))
      fail('Preview failed', 'Could not parse file for preview')
    } finally {
      setBusy(false)
    }
  }

  async function chooseAudio(files: readonly File[]): Promise<void> {
    const names = new Set(files.map(({ name }) => name))
    const all = [...chosen.filter(({ name }) => !names.has(name)), ...files]
    setChosen(all)
    if (isChecking) await send(all)
  }

  /** Step 2: sends what was chosen, and asks for the plan. */
  async function upload(): Promise<void> {
    if (draft?.fileName == null) return fail('Missing file', 'Please select an Excel/CSV file')
    await send(chosen)
  }

  async function send(files: readonly File[]): Promise<void> {
    const own = new AbortController()
    stopping.current = own
    const sent = await act('Upload failed', async () => {
      const from = await begun()
      return files.length > 0
        ? sendFiles(from, files, setSending, own.signal)
        : { draft: from, unreadable: [] }
    }).finally(() => setSending(null))
    if (own.signal.aborted || !sent) return void (await refresh())
    setChosen([])
    setDraft(sent.draft)
    if (sent.unreadable.length > 0)
      setProblem(`${listWords(sent.unreadable)} could not be read any more. Choose the files again.`)
    if (!isReady(sent.draft))
      return setProblem('Choose the audio files that have not been sent, or leave them out.')
    await loadPlan(sent.draft)
    setChecking(true)
  }

  async function refresh(): Promise<void> {
    if (draft) setDraft(await readDraft(draft.id).catch(() => draft))
  }

  async function removeFile(fileName: string): Promise<void> {
    setChosen((all) => all.filter(({ name }) => name !== fileName))
    const file = draft?.files.find((each) => each.fileName === fileName)
    if (!draft || !file) return
    const next = await act('Upload failed', async () => {
      await operatorCall(urls.apiImportDraftFile(draft.id, file.id), { method: 'DELETE' })
      return readDraft(draft.id)
    })
    if (!next) return
    setDraft(next)
    if (isChecking) await loadPlan(next)
  }

  /** What was announced and never sent is not waited for any longer. */
  async function leaveOut(): Promise<void> {
    if (!draft) return
    const next = await act('Upload failed', () =>
      operatorCall(urls.apiImportDraftPart(draft.id, 'files'), { method: 'PUT', body: { files: [] } }),
    )
    if (next) setDraft(next as Draft)
  }

  async function apply(options: ApplyOptions): Promise<void> {
    if (!draft) return
    await act('Upload failed', async () => {
      await operatorCall(urls.apiImportDraftPart(draft.id, 'apply'), { method: 'POST', body: options })
      // A small import may be over by now: its end is told all the same.
      setDraft({ ...draft, state: 'running', job: null })
      setDraft(await readDraft(draft.id))
    })
  }

  async function cancel(): Promise<void> {
    const job = draft?.job
    if (!draft || !job) return
    await act('Upload failed', () =>
      operatorCall(urls.apiJob(job.id, 'cancel'), { method: 'POST', body: {} }),
    )
    await refresh()
  }

  async function undo(): Promise<void> {
    const batchId = draft?.outcome?.batchId
    if (!draft || !batchId) return
    await act('Error', () => operatorCall(urls.apiImportUndo(batchId), { method: 'POST', body: {} }))
    await refresh()
  }

  /** Leaves this import; what it has made stays. */
  async function startAnew(): Promise<void> {
    const isGone = draft
      ? await act('Error', () => operatorCall(urls.apiImportDraft(draft.id), { method: 'DELETE' }))
      : true
    if (!isGone) return
    setDraft(null)
    setPlan(null)
    setChosen([])
    setChecking(false)
  }

  const stop = () => stopping.current?.abort(new DOMException('Stopped.', 'AbortError'))
  return {
    ...{ draft, plan, chosen, sending, isChecking, isBusy, problem },
    ...{ chooseSheet, chooseAudio, upload, stop, removeFile, leaveOut, apply, cancel, undo, startAnew },
  }
}
export type Import = ReturnType<typeof useImport>

/** There is a sheet, and nothing that was announced is missing. */
function isReady(draft: Draft | null): boolean {
  return (
    draft?.state === 'open' &&
    draft.fileName !== null &&
    draft.files.every(({ state }) => state !== 'waiting')
  )
}

async function readDraft(id: string): Promise<Draft> {
  return (await operatorCall(urls.apiImportDraft(id))) as Draft
}

function tellEnd({ state, outcome, job }: Draft): void {
  if (state === 'applied' && outcome)
    emit('nocturne:toast', { kind: 'good', title: 'Import finished', description: outcomeWords(outcome) })
  else if (job?.state === 'failed') fail('Upload failed', job.error ?? 'Please try again')
}

function fail(title: string, description: string): void {
  emit('nocturne:toast', { kind: 'bad', title, description })
}
