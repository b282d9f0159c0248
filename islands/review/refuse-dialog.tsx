import { type FormEvent, type RefObject, useState } from 'react'
import { itemWords } from '#islands/guideline/guideline-preview'
import { reasonCharactersMax } from '#src/review/rules'
import type { BulkReview } from '#src/review/schema'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { TextArea } from '#src/ui/text-area'

/** The items of a decision: some, those held by a rule, or all; `count` of them. */
export type Scope = { which: Pick<BulkReview, 'ids' | 'ruleId' | 'all' | 'readAt'>; count: number }

/** Asks for confirmation before many items are refused, and for the reason. */
export function RefuseDialog({
  ref,
  scope,
  onRefuse,
}: {
  ref: RefObject<HTMLDialogElement | null>
  scope: Scope | null
  onRefuse: (scope: Scope, reason: string) => void
}) {
  const [reason, setReason] = useState('')
  const close = () => ref.current?.close()
  const refuse = (event: FormEvent) => {
    event.preventDefault()
    close()
    if (scope) onRefuse(scope, reason)
    setReason('')
  }
  return (
    <Dialog
      id="refuse-held"
      ref={ref}
      title={`Refuse ${itemWords(scope?.count ?? 0)}?`}
      words={
        scope?.count === 1
          ? 'It leaves the library, and its row is kept: it can be restored.'
          : 'They leave the library, and their rows are kept: each can be restored. What members wanted to share stays theirs.'
      }
    >
      <form className="stack" onSubmit={refuse}>
        <TextArea
          label="Reason"
          look="short"
          maxLength={reasonCharactersMax}
          hint="Sent to members whose items are among them."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={close}>
            Go back
          </Button>
          <Button kind="danger" type="submit">
            Refuse {itemWords(scope?.count ?? 0)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
