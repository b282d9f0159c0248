/** One difference between two states. Browser-safe. */

export type FieldChange = { field: string; before: string | null; after: string | null }

/** The differences between two states by field. A value that is not an object is one field without a name. */
export function diffStates(before: unknown, after: unknown): FieldChange[] {
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: wordsOf(was[field]), after: wordsOf(is[field]) }))
    .filter((change) => change.before !== change.after)
}

function fieldsOf(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {}
  return typeof state === 'object' && !Array.isArray(state) ? { ...state } : { '': state }
}

function wordsOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.map(wordsOf).join(', ') || null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
