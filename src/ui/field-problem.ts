import { createContext, use } from 'react'

/** Which field of the form inside was refused, by its name, and why: that field shows it. */
export const FieldProblem = createContext<{ field: string | null; message: string } | null>(null)

/** Why the field of this name was refused. */
export function useFieldProblem(name: string | undefined): string | undefined {
  const problem = use(FieldProblem)
  return name && problem?.field && fieldName(problem.field) === name ? problem.message : undefined
}

/** The name of a field's input; a list is refused by its entries: `tags[2]`. */
export function fieldName(path: string): string {
  return path.replace(/\[\d+\]$/, '')
}
