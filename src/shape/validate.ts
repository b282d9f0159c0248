import type { Static, TSchema } from 'typebox'
import { type TypeCheck, TypeCompiler } from 'typebox/compiler'
import { AppError, type FieldProblem } from '#src/app-error'
import { pluralize } from '#src/text/pluralize'
import { fieldSentence } from './invalid-field'

/**
 * Checks a value from outside of HTTP (a file, the terminal) against a schema. Throws `invalid` with the messages that
 * a request's body would get.
 */
export function requireShape<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const compiled = checks.get(schema) ?? TypeCompiler.Compile(withUnknownFields(schema))
  checks.set(schema, compiled)
  if (compiled.Check(value)) return value
  throw refuseShape(fieldProblems(compiled.Errors(value)))
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/**
 * Allows unknown fields, which Elysia drops in requests. It forbids them in the schema object itself when it first
 * compiles a call.
 */
function withUnknownFields({ additionalProperties, ...schema }: TSchema): TSchema {
  return schema
}

function refuseShape(fields: FieldProblem[]): AppError {
  return new AppError('invalid', shapeMessage(fields), { fields })
}

/** The message for several problems, which is that of the first. */
export function shapeMessage(fields: readonly FieldProblem[]): string {
  const [first] = fields
  if (!first) return 'This is not accepted here.'
  return fieldSentence(first)
}

/** TypeBox's error about one place in a value. */
export type ShapeError = {
  path: string
  message: string
  value: unknown
  /** For a union: the errors of each of its alternatives. */
  errors?: Iterable<ShapeError>[]
  schema: ShapeSchema
}

type ShapeSchema = {
  type?: string
  anyOf?: ShapeSchema[]
  properties?: object
  minProperties?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  error?: unknown
  title?: string
  isEmail?: boolean
}

/** TypeBox's errors in plain words, one for each field. The submitted values are never repeated. */
export function fieldProblems(
  errors: Iterable<ShapeError>,
  pathOf: (error: ShapeError) => string = fieldPath,
): FieldProblem[] {
  const problems = new Map<string, string>()
  for (const each of errors) {
    const problem = problemMeant(each)
    const path = pathOf(problem)
    if (!problems.has(path)) problems.set(path, fieldMessage(problem))
    if (problems.size >= 20) break
  }
  return [...problems].map(([path, message]) => ({ path, message }))
}

/** For a union, the error of the alternative whose type the value has; the union's own if there is none. */
function problemMeant(error: ShapeError): ShapeError {
  if (typeof error.schema?.error === 'string') return error
  const firsts = (error.errors ?? []).flatMap((each) => [...each].slice(0, 1))
  const meant = firsts.find(({ path, schema }) => path !== error.path || hasTypeOf(schema, error.value))
  return meant ? problemMeant(meant) : error
}

function hasTypeOf(schema: ShapeSchema, value: unknown): boolean {
  const type = typeName(value)
  return typesOf(schema).some((each) => each === type || (each === 'integer' && type === 'number'))
}

function typesOf({ type, anyOf = [] }: ShapeSchema): string[] {
  return type ? [type] : [...new Set(anyOf.flatMap(typesOf))]
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
    return schema.pattern === '\\S' ? 'Must not be empty' : 'Invalid'
  }
  if (schema && typesOf(schema).length > 0 && !hasTypeOf(schema, value))
    return `Expected ${typesOf(schema).join(' or ')}, received ${typeName(value)}`
  return sizeMessage(schema ?? {}, value) ?? message?.slice(0, 200) ?? 'Invalid'
}

/** How large or long a value of the right type may be; null if its size is not the problem. */
function sizeMessage(schema: ShapeSchema, value: unknown): string | null {
  const { type, minimum, maximum, minItems, maxItems, minProperties = 0, properties = {} } = schema
  if (typeof value === 'number' && (type === 'integer' || type === 'number'))
    return `Expected ${type === 'integer' ? 'a whole number' : 'a number'}${rangeWords(minimum, maximum)}`
  if (Array.isArray(value) && (value.length < (minItems ?? 0) || value.length > (maxItems ?? value.length)))
    return `Expected a list with ${countWords(minItems, maxItems)}`
  if (type === 'object' && Object.keys(Object(value)).length < minProperties)
    return `Give at least one of: ${Object.keys(properties).join(', ')}`
  return null
}

function countWords(from = 0, to?: number): string {
  if (to === undefined) return `at least ${pluralize(from, 'entry')}`
  return from > 0 ? `${from} to ${pluralize(to, 'entry')}` : `at most ${pluralize(to, 'entry')}`
}

function rangeWords(from?: number, to?: number): string {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}`
  if (from !== undefined) return ` of at least ${from}`
  return to === undefined ? '' : ` of at most ${to}`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
