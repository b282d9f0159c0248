import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type FieldProblem, Refusal } from '#src/refusal'

/**
 * A value that came from outside, once it has a shape: what a door that is no HTTP call has in place of the
 * body's validation. Throws `invalid` with the same sentences.
 */
export function requireShape<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (Value.Check(schema, value)) return value
  throw refuseShape(fieldProblems(Value.Errors(schema, value)))
}

function refuseShape(fields: FieldProblem[]): Refusal {
  return new Refusal('invalid', shapeMessage(fields), { fields })
}

/** The sentence that stands for all of the problems: the first of them. */
export function shapeMessage(fields: readonly FieldProblem[]): string {
  const [first] = fields
  if (!first) return 'This is not what is taken here.'
  return first.path ? `${first.path}: ${first.message}` : first.message
}

/** What TypeBox says of one place in a value. */
export type ShapeError = {
  path: string
  message: string
  value: unknown
  schema: {
    type?: string
    minLength?: number
    maxLength?: number
    pattern?: string
    error?: unknown
    title?: string
    isEmail?: boolean
  }
}

/** TypeBox's problems in the words of operator.md §5; the submitted values are never repeated. */
export function fieldProblems(
  errors: Iterable<ShapeError>,
  pathOf: (error: ShapeError) => string = fieldPath,
): FieldProblem[] {
  const problems = new Map<string, string>()
  for (const each of errors) {
    const path = pathOf(each)
    if (!problems.has(path)) problems.set(path, fieldMessage(each))
    if (problems.size >= 20) break
  }
  return [...problems].map(([path, message]) => ({ path, message }))
}

function fieldPath({ path: pointer }: ShapeError): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
    .slice(0, 200)
}

function fieldMessage({ schema, value, message }: ShapeError): string {
  if (value === undefined) return 'Required'
  if (typeof schema?.error === 'string') return schema.error
  if (schema?.type === 'string' && typeof value === 'string') {
    if (schema.minLength !== undefined && value.length < schema.minLength) {
      return `String must contain at least ${schema.minLength} character(s)`
    }
    if (schema.maxLength !== undefined && value.length > schema.maxLength) {
      return `String must contain at most ${schema.maxLength} character(s)`
    }
    if (schema.isEmail) return 'Invalid email'
    return 'Invalid'
  }
  if (schema?.type && schema.type !== typeName(value))
    return `Expected ${schema.type}, received ${typeName(value)}`
  return message?.slice(0, 200) ?? 'Invalid'
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
