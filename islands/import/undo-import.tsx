import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import type { EditedChoice } from '#src/import/undo-rules'
import type { UndoAnswer } from '#src/import/undo-schema'
import { undoItemWords, undoMessage } from '#src/import/undo-words'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { SwitchRow } from '#src/ui/switch-row'
import { urls } from '#src/urls'

export type UndoRequest = { id: string; name: string }

/**
 * Previews the undo of an import, and undoes exactly that after a confirmation. The dialog opens with each new
 * `request`.
 */
export function UndoImport({
  request,
  onClose,
  onUndone,
}: {
  request: UndoRequest | null
  onClose: () => void
  onUndone: (asked: UndoRequest) => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (request) showDialog(dialog.current)
  }, [request])
  return (
    <Dialog id="undo-import" title={request ? `Undo ${request.name}` : 'Undo'} ref={dialog} onClose={onClose}>
      {request && (
        <UndoForm
          key={request.id}
          request={request}
          onKeep={() => dialog.current?.close()}
          onUndone={() => {
            dialog.current?.close()
            onUndone(request)
          }}
        />
      )}
    </Dialog>
  )
}

function UndoForm({
  request,
  onKeep,
  onUndone,
}: {
  request: UndoRequest
  onKeep: () => void
  onUndone: () => void
}) {
  const [edited, setEdited] = useState<EditedChoice>('keep')
  const { plan, problem, isUndoing, isReady, undo, lookAgain } = useUndo(request, edited, onUndone)
  return (
    <div className="stack">
      {plan ? <PlanWords plan={plan} /> : !problem && <p role="status">Checking what has changed since.</p>}
      {plan && plan.editedSince > 0 && (
        <section className="panel panel-flush import-options" aria-label="What was edited since">
          <SwitchRow
            title="Undo edited items too"
            words={
              edited === 'keep'
                ? 'Off: items edited since then stay.'
                : 'On: they are undone too. Edits to items that existed before the import are lost.'
            }
            checked={edited === 'remove'}
            disabled={isUndoing}
            onChange={(event) => setEdited(event.target.checked ? 'remove' : 'keep')}
          />
        </section>
      )}
      {problem && (
        <Notice
          kind="bad"
          action={
            <Button size="sm" onClick={lookAgain}>
              Look again
            </Button>
          }
        >
          {problem}
        </Notice>
      )}
      <div className="btn-row btn-row-end">
        <Button kind="ghost" onClick={onKeep}>
          Keep it
        </Button>
        <Button kind="danger" isBusy={!isReady} onClick={() => void undo()}>
          Undo the import
        </Button>
      </div>
    </div>
  )
}

/**
 * Reads the undo plan for the current choice, again at each change of it; the earlier plan is shown until then. Plan
 * and loading flag are derived from one state: with two, a switch would be disabled for one render and lose a press.
 */
function useUndo({ id, name }: UndoRequest, edited: EditedChoice, onUndone: () => void) {
  const [read, setRead] = useState<{ question: string; plan: UndoAnswer | null } | null>(null)
  const {
    isBusy: isUndoing,
    problem,
    setProblem,
    submit,
  } = useSubmit({ otherwise: 'The import was not undone. Please try again.' })
  const [looks, setLooks] = useState(0)
  const question = `${edited}, look ${looks}`

  useEffect(() => {
    const stopping = new AbortController()
    setProblem(null)
    operatorApi('POST /api/imports/:id/undo', {
      path: { id },
      query: { edited, dryRun: 'true' },
      signal: stopping.signal,
    })
      .then((plan) => setRead({ question, plan }))
      .catch((error) => {
        if (stopping.signal.aborted) return
        setRead((before) => ({ question, plan: before?.plan ?? null }))
        setProblem(problemOf(error, 'The plan could not be loaded.'))
      })
    return () => stopping.abort()
  }, [id, edited, question, setProblem])

  async function undo(): Promise<void> {
    const plan = read?.plan?.plan
    if (plan === undefined) return
    await submit(async () => {
      const { message } = await operatorApi('POST /api/imports/:id/undo', {
        path: { id },
        query: { edited, plan },
      })
      emit('nocturne:toast', { title: 'Import undone', description: `${name}: ${message}` })
      onUndone()
    })
  }

  return {
    plan: read?.plan ?? null,
    problem: problem?.message,
    isUndoing,
    isReady: read?.question === question && read.plan !== null && !isUndoing,
    undo,
    lookAgain: () => setLooks((count) => count + 1),
  }
}

const editedShown = 12

function PlanWords({ plan }: { plan: UndoAnswer }) {
  const edited = plan.items.filter(({ editedFields }) => editedFields.length > 0)
  const others = plan.items.filter(({ editedFields }) => editedFields.length === 0)
  return (
    <>
      <p className="prose" role="status">
        {undoMessage(plan, 'asked')}
      </p>
      {plan.removed > 0 && (
        <p className="meta">
          The bin keeps {plan.removed === 1 ? 'it' : 'them'} for {plan.binDays} days, with all narrations.
          Restore {plan.removed === 1 ? 'it' : 'them'} under “Removed” in the{' '}
          <a href={urls.premiumContent({ status: 'removed' })}>library</a>.
        </p>
      )}
      {edited.length > 0 && (
        <section className="stack-sm" aria-labelledby="edited-since">
          <h3 className="title-sm" id="edited-since">
            Edited since: {plan.editedSince}
          </h3>
          <Items items={edited.slice(0, editedShown)} />
          {plan.editedSince > editedShown && (
            <p className="meta">… and {plan.editedSince - editedShown} more</p>
          )}
        </section>
      )}
      {others.length > 0 && (
        <details className="file-fold">
          <summary className="meta">
            {edited.length > 0 ? 'Not edited since' : 'Item by item'}: {plan.total - plan.editedSince}
          </summary>
          <Items items={others} />
        </details>
      )}
    </>
  )
}

function Items({ items }: { items: UndoAnswer['items'] }) {
  return (
    <ul className="stack-sm">
      {items.map((item) => (
        <li key={item.id}>
          <b>{item.title}</b> <span className="meta">{undoItemWords(item)}</span>
        </li>
      ))}
    </ul>
  )
}
