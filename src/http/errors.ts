import { ValidationError } from 'elysia'
import { Value } from 'typebox/value'
import { codeOf, isUnstorable, shortageOf, unstorableMessage } from '#db/failures'
import { AppError, type AppErrorCode, type FieldProblem } from '#src/app-error'
import { shortageWords } from '#src/disk/rules'
import { errorFields, type Log } from '#src/process/log'
import { fieldProblems, type ShapeError, shapeMessage } from '#src/shape/validate'

/** The HTTP status of each error code. */
const statusOf: Record<AppErrorCode, number> = {
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
  changed_since: 412,
  too_large: 413,
  wrong_content_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  guideline_blocked: 422,
  not_configured: 422,
  throttled: 429,
  unavailable: 503,
}

/** The public part of an error: never a stack, a path, SQL or a secret. */
export type ErrorAnswer = {
  status: number
  code: string
  message: string
  fields?: FieldProblem[]
  retryAfterSeconds?: number
  details?: Record<string, unknown>
}

/** Turns any error into its public answer. A bug is logged with its stack and answered in general words. */
export function answerOf(error: unknown, log: Log, requestId: string): ErrorAnswer {
  if (error instanceof AppError) {
    if (error.cause) log.warn('refused', { requestId, code: error.code, ...errorFields(error.cause) })
    return {
      status: statusOf[error.code],
      code: error.code,
      message: error.message,
      fields: error.fields,
      retryAfterSeconds: error.retryAfterSeconds,
      details: error.details,
    }
  }
  if (error instanceof ValidationError && error.type !== 'response') {
    const fields = problemsOf(error)
    return { status: 422, code: 'invalid', message: shapeMessage(fields), fields }
  }
  if (isUnstorable(error)) {
    return {
      status: 422,
      code: 'invalid',
      message: unstorableMessage,
    }
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'NOT_FOUND')
    return { status: 404, code: 'not_found', message: 'There is nothing at this address.' }
  if (code === 'PARSE')
    return { status: 400, code: 'unreadable', message: 'The body could not be read. Send valid JSON.' }
  if (code === 'INVALID_COOKIE_SIGNATURE')
    return { status: 400, code: 'unreadable', message: 'A cookie could not be read.' }
  const shortage = shortageOf(error)
  if (shortage) {
    // Every request that meets an outage logs it, without the stack: it is the same for all.
    log.error(`${shortage} unavailable`, { requestId, code: codeOf(error) })
    return { status: statusOf.unavailable, code: 'unavailable', ...shortageWords[shortage] }
  }
  log.error('unexpected error', { requestId, ...errorFields(error) })
  return {
    status: 500,
    code: 'internal',
    message: `Something went wrong on our side. If it happens again, tell us this number: ${requestId}`,
  }
}

/** Whether an error is a refusal, so that the call has changed nothing. After any other error that is not known. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ValidationError) return error.type !== 'response'
  return error instanceof AppError || isUnstorable(error)
}

/** The error envelope of every /api call (docs/behaviour/api.md). */
export function errorResponse(answer: ErrorAnswer, requestId: string): Response {
  const { status, code, message, fields, retryAfterSeconds, details } = answer
  const headers: Record<string, string> = { 'cache-control': 'private, no-store' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
  return Response.json(
    { ...details, success: false, error: message, message, code, ...(fields && { fields }), requestId },
    { status, headers },
  )
}

function problemsOf(error: ValidationError): FieldProblem[] {
  return error.type === 'property'
    ? fieldProblems(errorsOf(error), ({ schema }) => schema.title ?? '')
    : fieldProblems(errorsOf(error))
}

/** `error.all` would put the value into a sentence, which throws for a value such as `{"toString": 1}`. */
function errorsOf({ validator, value }: ValidationError): Iterable<ShapeError> {
  if ('Errors' in validator) return validator.Errors(value)
  return '~standard' in validator ? [] : Value.Errors(validator, value)
}
