import {
  type ImportState,
  isReady,
  readDraft,
  useImportState,
  useWatchedJob,
} from '#islands/import/import-state'
import { announceChosen, sendFiles } from '#islands/import/send-files'
import { operatorApi } from '#islands/runtime/operator-api'
import { toastProblem } from '#islands/runtime/or-toast'
import { sendFile } from '#islands/runtime/send-file'
import type { ApplyOptions, ImportDraft } from '#src/import/draft/schema'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import { listWords } from '#src/import/wizard/draft-words'

/** The state of the import on this screen, and its actions. The server stores all of it except `chosen`. */
export function useImport(initial: ImportDraft | null) {
  const state = useImportState(initial)
  useWatchedJob(state, initial)
  const { draft, plan, chosen, sending, isChecking, isBusy, problem, refresh } = state
  return {
    ...{ draft, plan, chosen, sending, isChecking, isBusy, problem, refresh },
    ...chooseActions(state),
    ...fileActions(state),
    ...choiceActions(state),
    ...runActions(state),
  }
}

function chooseActions(state: ImportState) {
  const { draft, setDraft, chosen, setChosen, isChecking, act, begun } = state

  /** Chooses the audio first: once it is announced, the page asks for it after a reload. */
  async function choose(sheet: File | undefined, audio: readonly File[]): Promise<void> {
    const from = audio.length === 0 ? draft : await chooseAudio(audio)
    if (sheet && from !== undefined) await chooseSheet(sheet, from)
  }

  async function chooseSheet(file: File, from: ImportDraft | null): Promise<void> {
    const form = new FormData()
    form.set('excel', file, file.name)
    const next = await act(
      'Preview failed',
      async () => {
        const { id } = from ?? (await begun())
        return sendFile('POST /api/import-drafts/:id/sheet', { path: { id }, form })
      },
      // The toast is short; the details are shown on the page.
      'Could not parse file for preview',
    )
    if (!next) return
    setDraft(next)
    await replan(state, next)
  }

  /** Returns the draft that has the files or expects them; undefined if the server refuses them. */
  async function chooseAudio(files: readonly File[]): Promise<ImportDraft | undefined> {
    const names = new Set(files.map(({ name }) => name))
    const all = [...chosen.filter(({ name }) => !names.has(name)), ...files]
    setChosen(all)
    if (isChecking && draft) {
      await send(state, all)
      return draft
    }
    const next = await act('Upload failed', async () => announceChosen(await begun(), files))
    if (next) setDraft(next)
    return next
  }

  return { choose }
}

function fileActions(state: ImportState) {
  const { draft, setDraft, chosen, setChosen, isChecking, act, loadPlan } = state

  /** Step 2: sends the chosen files and requests the plan. */
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

  /** Drops announced files that were never sent. */
  async function leaveOut(): Promise<void> {
    if (!draft) return
    const given = { path: { id: draft.id }, body: { files: [] } }
    const next = await act('Upload failed', () => operatorApi('PUT /api/import-drafts/:id/files', given))
    if (next) setDraft(next)
  }

  const stop = () => state.stopping.current?.abort(new DOMException('Stopped.', 'AbortError'))
  return { upload, stop, removeFile, leaveOut }
}

function choiceActions(state: ImportState) {
  const { draft, setDraft, act } = state

  /** Chooses the sheets, columns and hidden rows of the file. */
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

/** Loads the plan again after the rows have changed, or leaves this step if the sheet has nothing to import. */
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
    setProblem(`${listWords(sent.unreadable)} can no longer be read. Choose the files again.`)
  if (!isReady(sent.draft))
    return setProblem('Choose the audio files that have not been sent, or leave them out.')
  await state.loadPlan(sent.draft)
  state.setChecking(true)
}

function runActions({ draft, setDraft, setPlan, setChosen, setChecking, act, refresh }: ImportState) {
  /**
   * Applies the plan that is shown. If another tab or operator has replaced the sheet, nothing is applied and the plan
   * of the new sheet is shown.
   */
  async function apply(body: ApplyOptions): Promise<void> {
    if (!draft) return
    const path = { id: draft.id }
    await act('Upload failed', async () => {
      try {
        await operatorApi('POST /api/import-drafts/:id/apply', { path, body, ifMatch: draft.updatedAt })
      } catch (error) {
        await refresh()
        await operatorApi('GET /api/import-drafts/:id/plan', { path }).then(setPlan, () => null)
        throw error
      }
      // A small import may have finished by now. The state still passes through "running", so that its outcome is
      // shown.
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

  /** Leaves this import. Imported items stay. */
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
