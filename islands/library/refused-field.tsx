import { type ReactNode, type RefObject, useEffect } from 'react'
import type { Problem } from '#islands/runtime/api-error'
import { FieldProblem } from '#src/ui/field-problem'

/** The fields of a form. The one that was refused says why, and gets the focus: it may be far from the button. */
export function RefusedField({
  form,
  problem,
  children,
}: {
  form: RefObject<HTMLFormElement | null>
  problem: Problem | null
  children: ReactNode
}) {
  useEffect(() => {
    if (problem?.field) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, problem])
  return <FieldProblem value={problem}>{children}</FieldProblem>
}
