import type { Static, TSchema } from 'typebox'
import { type TypeCheck, TypeCompiler } from 'typebox/compiler'
import { AppError, type FieldProblem } from '#src/app-error'
import { fieldSentence } from './invalid-field'

/**
 * Checks a value from outside HTTP (a file, the terminal) against a schema. Throws `invalid` with the messages that a
 * request's body would get.
 */
export function requireShape<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const compiled = checks.get(schema) ?? TypeCompiler.Compile(withUnknownFields(schema))
  checks.set(schema, compiled)
  if (compiled.Check(value)) return value
  throw refuseShape(fieldProblems(compiled.Errors(value)))
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** Elysia drops unknown fields, and forbids them in the schema itself when it first compiles a call. */
function withUnknownFields({ additionalProperties, ...schema }: TSchema): TSchema {
  return schema
}

function refuseShape(fields: FieldProblem[]): AppError {
  return new AppError('invalid', shapeMessage(fields), { fields })
}

/** The message for all of the problems: that of the first. */
export function shapeMessage(fields: readonly FieldProblem[]): string {
  const [first] = fields
  if (!first) return 'This is not what is taken here.'
  return fieldSentence(first)
}

/** TypeBox's error about one place in a value. */
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

/** TypeBox's problems in words for people, one a field; the submitted values are never repeated. */
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
