import type { FieldProblem } from '#src/app-error'

/** The problem in words for the person, and the field that it is about. */
export type Problem = {
  field: string | null
  message: string
  /** The time at which an item was to appear lies in the past. */
  hasPassed?: true
}

/**
 * An answer that is not a success. The message is the status and the body as text; `answer` is the body's JSON
 * object, and `said` the server's message in it, where there is one.
 */
export class ApiError extends Error {
  readonly status: number
  readonly answer: Readonly<Record<string, unknown>>
  readonly said: string | null

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.answer = readObject(body)
    const { message } = this.answer
    this.said = typeof message === 'string' && message !== '' ? message : null
  }
}

/** A failure in the browser itself, with a message for the person. */
export class UserFacingError extends Error {}

/** The message of the console's forms when the operator's session is over. */
const sessionOver = 'Unauthorized: Admin session required. Please refresh and try again.'

/** The server's message about a failure; `otherwise` where it has none, or there was no answer. */
export function problemOf(error: unknown, otherwise?: string): Problem {
  if (error instanceof UserFacingError) return { field: null, message: error.message }
  if (!(error instanceof ApiError))
    return { field: null, message: otherwise ?? 'Nothing answered. Please try again.' }
  const { code, fields, hasPassed } = error.answer
  if (code === 'operator_required') return { field: null, message: sessionOver }
  return {
    field: (Array.isArray(fields) && fields.find(isFieldProblem)?.path) || null,
    message: error.said ?? otherwise ?? 'This did not work. Please try again.',
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
