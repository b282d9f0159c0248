/**
 * What the business declines, as a closed list. The HTTP layer turns a code into a status and the CLI into
 * an exit code, in one place each; a verb knows neither.
 */
export const refusalCodes = [
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
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** One thing wrong with one field. `path` is written as the sender wrote it: `stories[2].title`. */
export type FieldProblem = { path: string; message: string }

/**
 * A command that is declined. The message says what happened and what to do, and is safe to show to anyone;
 * `cause` is for the log alone.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly fields: FieldProblem[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: RefusalCode,
    message: string,
    options: { cause?: unknown; fields?: FieldProblem[]; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
