import { useEffect, useRef, useState } from 'react'
import { UndoImport, type UndoRequest } from '#islands/import/undo-import'
import { useImport } from '#islands/import/use-import'
import type { ImportDraft } from '#src/import/draft/schema'
import { ChooseFiles } from '#src/import/wizard/choose-step'
import { FileList, type ListedFile } from '#src/import/wizard/file-list'
import { PlanStep } from '#src/import/wizard/plan-step'
import { Preview } from '#src/import/wizard/preview'
import { RunningBar, SendingBar } from '#src/import/wizard/progress-bars'
import { Result } from '#src/import/wizard/result'
import { SheetPanel } from '#src/import/wizard/sheet-panel'
import { Steps } from '#src/import/wizard/steps'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'

/** Import of a sheet with MP3 files: choose files, review the plan, import. The server stores the progress. */
export default function ExcelImport(props: { draft: ImportDraft | null }) {
  const work = useImport(props.draft)
  const { draft, plan, sending, isBusy, problem } = work
  const [undoRequest, setUndoRequest] = useState<UndoRequest | null>(null)
  const isPlanned = work.isChecking && plan !== null && sending === null
  useFocusOn(headingOf(draft, { isPlanned }))

  if (draft?.state === 'applied' && draft.outcome)
    return (
      <>
        <Steps current={3} />
        <Result
          draft={draft}
          outcome={draft.outcome}
          isBusy={isBusy}
          onNext={() => void work.startAnew()}
          onUndo={() =>
            setUndoRequest({ id: draft.outcome?.batchId ?? '', name: draft.fileName ?? 'this import' })
          }
        />
        <UndoImport
          request={undoRequest}
          onClose={() => setUndoRequest(null)}
          onUndone={() => void work.refresh()}
        />
      </>
    )
  if (draft?.state === 'running')
    return (
      <>
        <Steps current={2} />
        <RunningBar draft={draft} isBusy={isBusy} onCancel={() => void work.cancel()} />
      </>
    )

  const isDisabled = isBusy || sending !== null
  const waiting = draft?.files.filter(({ state }) => state === 'waiting') ?? []
  return (
    <>
      <Steps current={isPlanned ? 1 : 0} />
      <div className="stack">
        {draft?.job?.state === 'failed' && draft.job.error && (
          <Notice kind="bad">Nothing was imported. {draft.job.error}</Notice>
        )}
        {problem && <Notice kind="bad">{problem}</Notice>}
        {waiting.length > 0 && !sending && work.chosen.length === 0 && (
          <Notice
            kind="warn"
            action={
              <Button size="sm" isBusy={isBusy} onClick={() => void work.leaveOut()}>
                Leave them out
              </Button>
            }
          >
            {waiting.length} of {draft?.files.length} audio files have not been sent. Choose the same files
            again: those already here are not sent twice.
          </Notice>
        )}
        <ChooseFiles
          draft={draft}
          chosen={work.chosen}
          isDisabled={isDisabled}
          onChoose={(sheet, audio) => void work.choose(sheet, audio)}
        />
        {sending ? (
          <SendingBar sending={sending} onStop={work.stop} />
        ) : (
          <FileList
            files={listFiles(draft, work.chosen)}
            isDisabled={isDisabled}
            onRemove={(fileName) => void work.removeFile(fileName)}
          />
        )}
      </div>
      {draft?.fileName && (
        <SheetPanel
          draft={draft}
          isDisabled={isDisabled}
          onChoose={(choices) => void work.chooseFrom(choices)}
        />
      )}
      {!isPlanned && draft && draft.preview.length > 0 && <Preview draft={draft} />}
      {isPlanned && draft && (
        <PlanStep
          draft={draft}
          plan={plan}
          isBusy={isDisabled}
          onApply={(options) => void work.apply(options)}
        />
      )}
      <Actions work={work} isPlanned={isPlanned} isDisabled={isDisabled} />
    </>
  )
}

function Actions({
  work: { draft, sending, upload, startAnew },
  isPlanned,
  isDisabled,
}: {
  work: ReturnType<typeof useImport>
  isPlanned: boolean
  isDisabled: boolean
}) {
  return (
    <div className="btn-row section-tight">
      {!isPlanned && (
        <Button kind="primary" isBusy={isDisabled} onClick={() => void upload()}>
          <Icon name="i-lucide-sm-upload" />
          {sending ? 'Uploading...' : 'Upload and check'}
        </Button>
      )}
      {draft && (
        <Button kind="ghost" isBusy={isDisabled} onClick={() => void startAnew()}>
          Start over
        </Button>
      )}
    </div>
  )
}

type Heading = 'plan' | 'importing' | 'finished' | 'undone' | null

/** Returns the id of the heading of the current step; the first step has none. */
function headingOf(draft: ImportDraft | null, { isPlanned }: { isPlanned: boolean }): Heading {
  if (draft?.state === 'running') return 'importing'
  if (draft?.state === 'applied') return draft.outcome?.isUndone ? 'undone' : 'finished'
  return isPlanned ? 'plan' : null
}

/**
 * Focuses the heading of the next step and scrolls it into view, because the pressed button disappears with its step.
 */
function useFocusOn(heading: Heading): void {
  const before = useRef(heading)
  useEffect(() => {
    if (before.current !== heading && heading) document.getElementById(heading)?.focus()
    before.current = heading
  }, [heading])
}

function listFiles(draft: ImportDraft | null, chosen: readonly File[]): ListedFile[] {
  const names = new Set(chosen.map(({ name }) => name))
  return [
    ...chosen.map(({ name, size }) => ({
      fileName: name,
      sizeBytes: size,
      problem: null,
      state: 'chosen' as const,
    })),
    ...(draft?.files ?? []).filter(({ fileName }) => !names.has(fileName)),
  ]
}
