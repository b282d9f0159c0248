import { type FormEvent, type Ref, useState } from 'react'
import type { Choice } from '#src/moderation/report-row'
import { notesCharactersMax, reportTypeWords } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { TextArea } from '#src/ui/text-area'

export type DecisionRequest = { report: ContentFlag; choice: Exclude<Choice, 'review'> }

const words: Record<DecisionRequest['choice'], { title: string; what: string; yes: string }> = {
  approve: { title: 'Approve', what: 'It stays as it is.', yes: 'Approve it' },
  remove: {
    title: 'Remove',
    what: 'It leaves every list, page and search at once, and nobody can hear it. Nothing is deleted: it can be restored.',
    yes: 'Remove it',
  },
  restore: { title: 'Restore', what: 'It goes back to where it was.', yes: 'Restore it' },
}

/** Asks for confirmation of a decision, and for its reason. */
export function DecisionDialog({
  ref,
  request,
  failure,
  isBusy,
  onDecide,
}: {
  ref: Ref<HTMLDialogElement>
  request: DecisionRequest | null
  failure: string | null
  isBusy: boolean
  onDecide: (asked: DecisionRequest, notes: string) => void
}) {
  return (
    <Dialog
      id="decide"
      ref={ref}
      title={request ? `${words[request.choice].title} “${request.report.item.title}”` : 'Decide'}
      words={request ? words[request.choice].what : undefined}
    >
      {request && (
        <DecisionForm
          key={`${request.report.id}${request.choice}`}
          asked={request}
          failure={failure}
          isBusy={isBusy}
          onDecide={onDecide}
        />
      )}
    </Dialog>
  )
}

function DecisionForm({
  asked,
  failure,
  isBusy,
  onDecide,
}: Pick<Parameters<typeof DecisionDialog>[0], 'failure' | 'isBusy' | 'onDecide'> & {
  asked: DecisionRequest
}) {
  const [notes, setNotes] = useState('')
  const decide = (event: FormEvent) => {
    event.preventDefault()
    onDecide(asked, notes)
  }
  return (
    <form className="stack" onSubmit={decide}>
      <TextArea
        label="Reason"
        look="short"
        maxLength={notesCharactersMax}
        value={notes}
        onChange={(event) => setNotes(event.target.value)}
        hint={`${notifiedWords(asked)} The rule quoted: ${reportTypeWords[asked.report.flagType].rule}`}
      />
      {failure && <Notice kind="bad">{failure}</Notice>}
      <div className="btn-row btn-row-end">
        <Button kind="ghost" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          Cancel
        </Button>
        <Button kind={asked.choice === 'remove' ? 'danger' : 'primary'} type="submit" isBusy={isBusy}>
          {words[asked.choice].yes}
        </Button>
      </div>
    </form>
  )
}

function notifiedWords({ choice, report }: DecisionRequest): string {
  const isMakerNotified = choice !== 'approve' && report.item.source === 'user_generated'
  const people = [isMakerNotified && 'the maker', report.isReporterTold && 'the reporter'].filter(Boolean)
  return people.length > 0 ? `Sent to ${people.join(' and ')}.` : 'Kept in the history.'
}
