import { type SubmitEvent, useState } from 'react'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { reload } from '#islands/navigation/visit'
import { useSubmit } from '#islands/runtime/use-submit'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'

/** Corrects a text of the studio where it stands. `save` throws for one that is refused: it stays, with the reason. */
export function StudioForm({
  noun,
  label,
  before,
  isCode = false,
  words,
  save,
  onDone,
}: {
  /** "script": on the button, and in what goes wrong. */
  noun: string
  label: string
  before: string
  isCode?: boolean
  /** What to know before saving. */
  words?: string
  save: (draft: string) => Promise<unknown>
  onDone: () => void
}) {
  const [draft, setDraft] = useState(before)
  useUnsaved(draft !== before)
  const { isBusy, problem, setProblem, submit } = useSubmit({
    otherwise: `The ${noun} was not saved. Please try again.`,
  })

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
      {words && <Notice kind="warn">{words}</Notice>}
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      <textarea
        className={isCode ? 'textarea textarea-code studio-field' : 'textarea studio-field'}
        aria-label={label}
        dir="auto"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          setProblem(null)
        }}
        spellCheck={!isCode}
      />
      <div className="btn-row">
        <Button
          kind="primary"
          type="submit"
          isBusy={isBusy}
          disabled={draft === before || draft.trim() === ''}
        >
          {isBusy ? 'Saving...' : `Save ${noun}`}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
