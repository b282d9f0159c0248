import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { DiscardQuestion } from '#islands/library/discard-question'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { reload } from '#islands/navigation/visit'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'

/**
 * Form to correct a text of the studio in place. `save` throws if the server refuses the text; it stays then, with the
 * reason.
 */
export function StudioForm({
  noun,
  label,
  before,
  isCode = false,
  save,
  onDone,
}: {
  /** Name of the text, such as "script", for the button and for error messages. */
  noun: string
  label: string
  before: string
  isCode?: boolean
  save: (draft: string) => Promise<unknown>
  onDone: () => void
}) {
  const [draft, setDraft] = useState(before)
  const field = useRef<HTMLTextAreaElement>(null)
  const question = useRef<HTMLDialogElement>(null)
  const isChanged = draft !== before
  useUnsaved(isChanged)
  // The button that opened this form had the focus and is removed.
  useEffect(() => field.current?.focus(), [])
  const { isBusy, problem, setProblem, submit } = useSubmit({
    otherwise: `The ${noun} was not saved. Please try again.`,
  })

  const keepEditing = () => question.current?.close()
  const discard = () => {
    question.current?.close()
    onDone()
    // Somebody else may have saved meanwhile: reload, so that the next edit starts from that.
    void reload()
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    void submit(async () => {
      await save(draft)
      await reload()
      onDone()
    })
  }

  return (
    <form className="stack" onSubmit={onSubmit}>
      <textarea
        ref={field}
        className={isCode ? 'textarea textarea-code studio-field' : 'textarea studio-field'}
        aria-label={label}
        dir="auto"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          setProblem(null)
        }}
        spellCheck={isCode ? 'false' : 'true'}
      />
      {/* Next to the button, because the field may be longer than the screen. */}
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      <div className="btn-row">
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isChanged || draft.trim() === ''}>
          {isBusy ? 'Saving...' : `Save ${noun}`}
        </Button>
        <Button onClick={() => (isChanged ? showDialog(question.current) : onDone())}>Cancel</Button>
      </div>
      <DiscardQuestion ref={question} onKeep={keepEditing} onDiscard={discard} />
    </form>
  )
}
