import type { FieldProblem } from '#src/app-error'

/** A problem in words for the person, and the field that it is about. */
export type Problem = {
  field: string | null
  message: string
  /** The time at which an item was to be published is in the past. */
  hasPassed?: true
}

/**
 * A response with an error status. The message contains the status and the body as text; `answer` is the body's JSON
 * object, and `serverMessage` the message in it, if there is one.
 */
export class ApiError extends Error {
  readonly status: number
  readonly answer: Readonly<Record<string, unknown>>
  readonly serverMessage: string | null

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.answer = readObject(body)
    const { message } = this.answer
    this.serverMessage = typeof message === 'string' && message !== '' ? message : null
  }
}

/** A failure in the browser itself, with a message that is shown to the person. */
export class UserFacingError extends Error {}

/** The message of the console's forms when the operator's session is over. */
const sessionOver = 'Unauthorized: Admin session required. Please refresh and try again.'

/** Returns the server's message about a failure, or `otherwise` if there is no message or no response. */
export function problemOf(error: unknown, otherwise?: string): Problem {
  if (error instanceof UserFacingError) return { field: null, message: error.message }
  if (!(error instanceof ApiError))
    return { field: null, message: otherwise ?? 'The server did not answer. Please try again.' }
  const { code, fields, hasPassed } = error.answer
  if (code === 'operator_required') return { field: null, message: sessionOver }
  return {
    field: (Array.isArray(fields) && fields.find(isFieldProblem)?.path) || null,
    message: error.serverMessage ?? otherwise ?? 'This did not work. Please try again.',
    ...(hasPassed === true && { hasPassed }),
  }
}

function isFieldProblem(each: unknown): each is FieldProblem {
  return typeof each === 'object' && each !== null && 'path' in each && 'message' in each
}

function readObject(body: string): Record<string, unknown> {
  try {
    const value = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
