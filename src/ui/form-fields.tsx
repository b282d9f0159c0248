import type { ReactNode } from 'react'
import { FieldProblem, type FormError, isSaidByField } from '#src/ui/field-problem'
import { Notice } from '#src/ui/notice'

/**
 * The fields of a form. Why it was refused is said by the field that it is about, else by a notice behind them; `action`
 * is what the notice offers, which then comes anyway.
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

/** A component of its own, so that it is rendered when the fields before it are. */
function OtherProblem({ problem, action }: { problem: FormError; action: ReactNode }) {
  if (!action && isSaidByField(problem)) return null
  return (
    <Notice kind="bad" action={action}>
      {problem.message}
    </Notice>
  )
}
