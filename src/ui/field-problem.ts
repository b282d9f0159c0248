import { createContext, use } from 'react'

/** Why a form was refused, and by its name the field that it is about, if any. */
export type FormError = { field: string | null; message: string }

/** Which field of the form inside was refused, and why: that field shows it. */
export const FieldProblem = createContext<FormError | null>(null)

/** Why the field of this name was refused. */
export function useFieldProblem(name: string | undefined): string | undefined {
  const problem = use(FieldProblem)
  return name && problem?.field && fieldName(problem.field) === name ? problem.message : undefined
}

/**
 * The attributes of a field by its problem. A page that is rendered with one leads to it, without a script too: nothing
 * else would have the focus.
 */
export function markRefused(error: string | null | undefined) {
  return error ? { 'aria-invalid': true, autoFocus: true } : undefined
}

/** The name of a field's input; a list is refused by its entries: `tags[2]`. */
export function fieldName(path: string): string {
  return path.replace(/\[\d+\]$/, '')
}
