import { CircleAlert } from 'lucide-react'
import { type TextareaHTMLAttributes, useId } from 'react'
import { Icon } from '#src/ui/icon'

/** A labelled field for a text. `look` is `code` for pasted columns, `short` for a few lines. */
export function TextArea({
  label,
  hint,
  error,
  look,
  ...area
}: { label: string; hint?: string; error?: string; look?: 'code' | 'short' } & Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'id' | 'className'
>) {
  const id = useId()
  const noteId = hint || error ? `${id}note` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={look ? `textarea textarea-${look}` : 'textarea'}
        aria-invalid={error ? true : undefined}
        aria-describedby={noteId}
        {...area}
      />
      {error ? (
        <span className="hint hint-bad" id={noteId}>
          <Icon of={CircleAlert} size="sm" />
          {error}
        </span>
      ) : (
        hint && (
          <span className="hint" id={noteId}>
            {hint}
          </span>
        )
      )}
    </div>
  )
}
