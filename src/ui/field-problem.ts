import { createContext, use } from 'react'

/** Why a form was refused, and by its name the field that it is about, if any. */
export type FormError = { field: string | null; message: string }

/** Why the form inside was refused (FormFields). */
export const FieldProblem = createContext<FormError | null>(null)

const saidByField = new WeakSet<FormError>()

/** Why the field of this name was refused. The field has to say it: nothing else does then. */
export function useFieldProblem(name: string | undefined): string | undefined {
  const problem = use(FieldProblem)
  if (!name || !problem?.field || fieldName(problem.field) !== name) return
  saidByField.add(problem)
  return problem.message
}

/** Whether a field that was rendered before says this problem. */
export function isSaidByField(problem: FormError): boolean {
  return saidByField.has(problem)
}

/**
 * The attributes of a field by its problem. A page that is rendered with one leads to it, without a script too: nothing
 * else would have the focus.
 */
export function markRefused(error: string | null | undefined) {
  return error ? { 'aria-invalid': true, autoFocus: true } : undefined
}

/** The name of a field's input; a list is refused by its entries: `tags[2]`, `items/1`. */
export function fieldName(path: string): string {
  return path.replace(/\[\d+\]$|\/\d+$/, '')
}
