import { type FormEvent, type Ref, useState } from 'react'
import { giveToastsBack } from '#islands/toasts-in-dialog'
import type { Choice } from '#src/moderation/flag-row'
import { flagWords, notesCharactersMax } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { TextArea } from '#src/ui/text-area'

export type Asked = { flag: ContentFlag; choice: Exclude<Choice, 'review'> }

const words: Record<Asked['choice'], { title: string; what: string; yes: string }> = {
  approve: { title: 'Approve', what: 'It stays as it is.', yes: 'Approve it' },
  remove: {
    title: 'Remove',
    what: 'It leaves every list, page and search at once, and nobody hears it any longer. Nothing of it is deleted: it can be restored.',
    yes: 'Remove it',
  },
  restore: { title: 'Restore', what: 'It goes back to where it stood.', yes: 'Restore it' },
}

/** Asks once more, and for the reason. */
export function DecisionDialog({
  ref,
  asked,
  failure,
  isBusy,
  onDecide,
}: {
  ref: Ref<HTMLDialogElement>
  asked: Asked | null
  failure: string | null
  isBusy: boolean
  onDecide: (asked: Asked, notes: string) => void
}) {
  return (
    <Dialog
      id="decide"
      ref={ref}
      title={asked ? `${words[asked.choice].title} “${asked.flag.item.title}”` : 'Decide'}
      words={asked ? words[asked.choice].what : undefined}
      onClose={giveToastsBack}
    >
      {asked && (
        <DecisionForm
          key={`${asked.flag.id}${asked.choice}`}
          asked={asked}
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
}: Pick<Parameters<typeof DecisionDialog>[0], 'failure' | 'isBusy' | 'onDecide'> & { asked: Asked }) {
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
        hint={`${whoIsTold(asked)} With it stands the rule: ${flagWords[asked.flag.flagType].rule}`}
      />
      {failure && <Notice kind="bad">{failure}</Notice>}
      <div className="btn-row btn-row-end">
        <Button kind="ghost" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          Cancel
        </Button>
        <Button kind={asked.choice === 'remove' ? 'danger' : 'primary'} type="submit" disabled={isBusy}>
          {words[asked.choice].yes}
        </Button>
      </div>
    </form>
  )
}

function whoIsTold({ choice, flag }: Asked): string {
  const isMakerTold = choice !== 'approve' && flag.item.source === 'user_generated'
  const people = [isMakerTold && 'the maker', flag.isReporterTold && 'who reported it'].filter(Boolean)
  return people.length > 0 ? `Told to ${people.join(' and ')}.` : 'Kept in the history.'
}
