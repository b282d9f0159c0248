import type { ReactNode } from 'react'
import { FieldProblem, type FormError, isSaidByField } from '#src/ui/field-problem'
import { Notice } from '#src/ui/notice'

/**
 * The fields of a form. If it was refused, the field that the problem is about shows the reason, otherwise a notice
 * below the fields. `action` is offered by the notice, which is then always shown.
 */
export function FormFields({
  problem = null,
  action,
  children,
}: {
  problem?: FormError | null
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <FieldProblem value={problem}>
      {children}
      {problem && <OtherProblem problem={problem} action={action} />}
    </FieldProblem>
  )
}

/** A separate component, so that it is rendered after the fields before it. */
function OtherProblem({ problem, action }: { problem: FormError; action: ReactNode }) {
  if (!action && isSaidByField(problem)) return null
  return (
    <Notice kind="bad" action={action}>
      {problem.message}
    </Notice>
  )
}
