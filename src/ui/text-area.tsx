import type { TextareaHTMLAttributes } from 'react'
import { useElementId } from '#src/ui/element-id'
import { FieldNote } from '#src/ui/field-note'
import { markRefused, useFieldProblem } from '#src/ui/field-problem'

/** A labelled field for longer text. `look` is `code` for pasted columns, `short` for a few lines. */
export function TextArea({
  label,
  hint,
  error: ownError,
  look,
  ...area
}: { label: string; hint?: string; error?: string; look?: 'code' | 'short' } & Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'id' | 'className'
>) {
  const id = useElementId()
  const refused = useFieldProblem(area.name)
  const error = ownError ?? refused
  const noteId = hint || error ? `${id}note` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={look ? `textarea textarea-${look}` : 'textarea'}
        dir="auto"
        {...markRefused(error)}
        aria-describedby={noteId}
        {...area}
      />
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  )
}
