import { createContext, use } from 'react'

/** Why a form was refused, and the name of the field that this is about, if any. */
export type FormError = { field: string | null; message: string }

/** Context that tells the fields of a form why it was refused. FormFields provides it. */
export const FieldProblem = createContext<FormError | null>(null)

const saidByField = new WeakSet<FormError>()

/** Why the field with this name was refused. The field has to show it, because nothing else will. */
export function useFieldProblem(name: string | undefined): string | undefined {
  const problem = use(FieldProblem)
  if (!name || !problem?.field || fieldName(problem.field) !== name) return
  saidByField.add(problem)
  return problem.message
}

/** Whether a field that was rendered earlier shows this problem. */
export function isSaidByField(problem: FormError): boolean {
  return saidByField.has(problem)
}

/**
 * Attributes of a field with a problem. Autofocus leads to it without a script too, since nothing else on the page has
 * the focus.
 */
export function markRefused(error: string | null | undefined) {
  return error ? { 'aria-invalid': true, autoFocus: true } : undefined
}

/** The name of the input for a path. Errors about a list name an entry: `tags[2]`, `items/1`. */
export function fieldName(path: string): string {
  return path.replace(/\[\d+\]$|\/\d+$/, '')
}
