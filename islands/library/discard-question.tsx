import { type RefObject, useEffect, useRef } from 'react'
import { closeOnBack } from '#islands/navigation/close-on-back'
import { guardLeaving } from '#islands/navigation/use-unsaved'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'

/**
 * Protects typed text in the forms of a dialog. If something was changed, closing by Esc, a button or Back, a link and
 * a reload ask first. Call `start` when the dialog is opened, `end` when it is closed.
 */
export function useDiscardQuestion(dialog: RefObject<HTMLDialogElement | null>) {
  const question = useRef<HTMLDialogElement>(null)
  const opened = useRef('')
  const leaveHistory = useRef<(() => void) | null>(null)
  const stopGuard = useRef<(() => void) | null>(null)
  const isChanged = () => valuesIn(dialog.current) !== opened.current

  const leave = () => {
    leaveHistory.current?.()
    leaveHistory.current = null
  }
  const end = () => {
    leave()
    stopGuard.current?.()
    stopGuard.current = null
  }
  const enterHistory = () => {
    leaveHistory.current ??= closeOnBack(() => {
      leave()
      askToClose()
    })
  }
  const start = () => {
    opened.current = valuesIn(dialog.current)
    stopGuard.current ??= guardLeaving(isChanged)
    enterHistory()
  }
  const askToClose = () => {
    if (!isChanged()) dialog.current?.close()
    else showDialog(question.current)
  }
  const keepEditing = () => {
    question.current?.close()
    // Back has removed the dialog's history entry.
    enterHistory()
  }
  const discard = () => {
    question.current?.close()
    dialog.current?.close()
  }
  // The person may go to another page while the dialog is open.
  useEffect(
    () => () => {
      leaveHistory.current?.()
      stopGuard.current?.()
    },
    [],
  )
  return { start, end, askToClose, question: { ref: question, onKeep: keepEditing, onDiscard: discard } }
}

export function DiscardQuestion({
  ref,
  onKeep,
  onDiscard,
}: {
  ref: RefObject<HTMLDialogElement | null>
  onKeep: () => void
  onDiscard: () => void
}) {
  return (
    <Dialog
      id="discard-changes"
      ref={ref}
      title="Discard your changes?"
      words="They have not been saved."
      width="narrow"
      onAskedToClose={onKeep}
    >
      <div className="btn-row btn-row-end">
        <Button kind="ghost" onClick={onKeep}>
          Keep editing
        </Button>
        <Button kind="danger" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Dialog>
  )
}

/** Serializes the values of all fields and the pressed chips. */
function valuesIn(dialog: HTMLDialogElement | null): string {
  const fields = [...(dialog?.querySelectorAll('form') ?? [])].flatMap((form) => [...new FormData(form)])
  const chips = [...(dialog?.querySelectorAll('[aria-pressed="true"]') ?? [])].map((chip) => chip.textContent)
  return JSON.stringify([fields, chips])
}
