/**
 * All error codes. The HTTP layer turns a code into a status, and the CLI into an exit code, in one place each; other
 * code uses neither.
 */
export const appErrorCodes = [
  'unreadable',
  'sign_in_required',
  'operator_required',
  'forbidden',
  'cross_site',
  'sign_up_to_listen',
  'built_in',
  'not_found',
  'already_exists',
  'already_undone',
  'conflict',
  'too_large',
  'wrong_content_type',
  'invalid',
  'guideline_blocked',
  'wrong_credentials',
  'locked',
  'suspended',
  'throttled',
  'not_configured',
  'unavailable',
  'range_not_satisfiable',
  'changed_since',
] as const
export type AppErrorCode = (typeof appErrorCodes)[number]

/** A problem with one field. `path` is in the sender's notation: `stories[2].title`. */
export type FieldProblem = { path: string; message: string }

/**
 * An expected error, such as a refused request. The message says what happened and how to fix it, and is safe to show
 * to anyone; `cause` is only for the log.
 */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly fields: FieldProblem[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** Data beside the message in the response, safe to show to the caller. */
  readonly details: Record<string, unknown> | undefined

  constructor(
    code: AppErrorCode,
    message: string,
    options: {
      cause?: unknown
      fields?: FieldProblem[]
      retryAfterSeconds?: number
      details?: Record<string, unknown>
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
    this.details = options.details
  }
}
