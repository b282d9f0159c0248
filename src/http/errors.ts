import { ValidationError } from 'elysia'
import { Value } from 'typebox/value'
import { isUnavailable } from '#db/db'
import { errorFields, type Log } from '#src/log'
import { type FieldProblem, Refusal, type RefusalCode } from '#src/refusal'

/** The one place where a refusal becomes a status. */
const statusOf: Record<RefusalCode, number> = {
  unreadable: 400,
  sign_in_required: 401,
  operator_required: 401,
  wrong_credentials: 401,
  forbidden: 403,
  cross_site: 403,
  sign_up_to_listen: 403,
  suspended: 403,
  locked: 403,
  built_in: 403,
  not_found: 404,
  already_exists: 409,
  already_undone: 409,
  conflict: 409,
  too_large: 413,
  wrong_content_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  guideline_blocked: 422,
  not_configured: 422,
  throttled: 429,
  unavailable: 503,
}

/** What an error says to the outside: never a stack, a path, SQL or a secret. */
export type Answer = {
  status: number
  code: string
  message: string
  fields?: FieldProblem[]
  retryAfterSeconds?: number
}

/** Reads any error as an answer; a bug is logged with its stack and answered in general words. */
export function answerOf(error: unknown, log: Log, requestId: string): Answer {
  if (error instanceof Refusal) {
    if (error.cause) log.warn('refused', { requestId, code: error.code, ...errorFields(error.cause) })
    return {
      status: statusOf[error.code],
      code: error.code,
      message: error.message,
      fields: error.fields,
      retryAfterSeconds: error.retryAfterSeconds,
    }
  }
  if (error instanceof ValidationError && error.type !== 'response') {
    const fields = fieldProblems(error)
    return { status: 422, code: 'invalid', message: validationMessage(fields), fields }
  }
  if (isUnkeepable(error)) {
    return {
      status: 422,
      code: 'invalid',
      message: 'A text holds a character that cannot be kept, such as NUL. Take it out.',
    }
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'NOT_FOUND')
    return { status: 404, code: 'not_found', message: 'There is nothing at this address.' }
  if (code === 'PARSE')
    return { status: 400, code: 'unreadable', message: 'The body could not be read. Send valid JSON.' }
  if (code === 'INVALID_COOKIE_SIGNATURE')
    return { status: 400, code: 'unreadable', message: 'A cookie could not be read.' }
  if (isUnavailable(error)) {
    log.error('database unavailable', { requestId, ...errorFields(error) })
    return {
      status: 503,
      code: 'unavailable',
      message: 'The library cannot be reached for a moment. Please try again.',
      retryAfterSeconds: 5,
    }
  }
  log.error('unexpected error', { requestId, ...errorFields(error) })
  return {
    status: 500,
    code: 'internal',
    message: `Something went wrong on our side. If it stays, tell us this number: ${requestId}`,
  }
}

/**
 * PostgreSQL keeps no NUL, in a text (22021) or within JSON (22P05), and no half of a surrogate pair within
 * JSON (22P02 of its JSON reader): such a text is the sender's mistake, whatever column it was meant for.
 */
function isUnkeepable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!('code' in each)) continue
    if (each.code === '22021' || each.code === '22P05') return true
    if (each.code === '22P02' && 'routine' in each && /json/.test(String(each.routine))) return true
  }
  return false
}

/** The envelope of every error of every /api call (product.md §6). */
export function errorResponse(answer: Answer, requestId: string): Response {
  const { status, code, message, fields, retryAfterSeconds } = answer
  const headers: Record<string, string> = { 'cache-control': 'private, no-store' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
  return Response.json(
    { success: false, error: message, message, code, ...(fields && { fields }), requestId },
    { status, headers },
  )
}

function validationMessage(fields: readonly FieldProblem[]): string {
  const [first] = fields
  if (!first) return 'This is not what is taken here.'
  return first.path ? `${first.path}: ${first.message}` : first.message
}

type TypeBoxError = {
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
function fieldProblems(error: ValidationError): FieldProblem[] {
  const problems = new Map<string, string>()
  for (const each of errorsOf(error)) {
    const path = error.type === 'property' ? (each.schema.title ?? '') : fieldPath(each.path)
    if (!problems.has(path)) problems.set(path, fieldMessage(each))
    if (problems.size >= 20) break
  }
  return [...problems].map(([path, message]) => ({ path, message }))
}

/** `error.all` puts the value into a sentence, which fails where it is `{"toString": 1}`. */
function errorsOf({ validator, value }: ValidationError): Iterable<TypeBoxError> {
  if ('Errors' in validator) return validator.Errors(value)
  return '~standard' in validator ? [] : Value.Errors(validator, value)
}

function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
    .slice(0, 200)
}

function fieldMessage({ schema, value, message }: TypeBoxError): string {
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
