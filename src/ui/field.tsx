import type { InputHTMLAttributes, ReactNode } from 'react'
import { useElementId } from '#src/ui/element-id'
import { FieldNote } from '#src/ui/field-note'
import { markRefused, useFieldProblem } from '#src/ui/field-problem'

/** A labelled input. `error` is the error with its fix, beside the field. */
export function Field({
  label,
  hint,
  error: ownError,
  after,
  ...input
}: {
  label: string
  hint?: string
  error?: string
  /** Shown below the input: a link. */
  after?: ReactNode
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'>) {
  const id = useElementId()
  const refused = useFieldProblem(input.name)
  const error = ownError ?? refused
  const noteId = hint || error ? `${id}note` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        dir={input.type ? undefined : 'auto'}
        {...markRefused(error)}
        aria-describedby={noteId}
        {...input}
      />
      <FieldNote id={noteId} hint={hint} error={error} />
      {after}
    </div>
  )
}
