import type { SelectHTMLAttributes } from 'react'
import { categoryLabel } from '#src/story/rules'
import { useElementId } from '#src/ui/element-id'
import { FieldNote } from '#src/ui/field-note'
import { markRefused, useFieldProblem } from '#src/ui/field-problem'
import { Icon } from '#src/ui/icon'

export type Choice = { value: string; label: string }

/** Choices for a closed list of values, labelled as on cards: "Rachel", "BDSM". */
export function choicesOf(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: categoryLabel(value) }))
}

/** A labelled choice from a closed list. It is the native select, which every keyboard and phone supports. */
export function Select({
  label,
  choices,
  hint,
  ...select
}: { label: string; choices: readonly (string | Choice)[]; hint?: string } & Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'id' | 'className'
>) {
  const id = useElementId()
  const error = useFieldProblem(select.name)
  const noteId = hint || error ? `${id}note` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="select-box">
        <select id={id} className="select" {...markRefused(error)} aria-describedby={noteId} {...select}>
          {choices.map((choice) => {
            const { value, label } = typeof choice === 'string' ? { value: choice, label: choice } : choice
            return (
              <option key={value} value={value}>
                {label}
              </option>
            )
          })}
        </select>
        <Icon name="i-lucide-sm-chevron-down" />
      </span>
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  )
}

/** A select within a row of filters. Its label is only for screen readers. */
export function PlainSelect({
  label,
  choices,
  ...select
}: { label: string; choices: readonly Choice[] } & Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'className'
>) {
  return (
    <span className="select-box select-box-auto">
      <select className="select select-auto" aria-label={label} {...select}>
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="i-lucide-sm-chevron-down" />
    </span>
  )
}
