import type { FieldProblem } from '#src/refusal'

/**
 * An answer that is not a success. The message is the status and the body as text (visitor.md §8); `answer` is
 * the body as JSON, and `said` the server's own sentence in it, where it sent one.
 */
export class ApiError extends Error {
  readonly status: number
  readonly answer: unknown
  readonly said: string | null
  /** What is wrong with which field, where the server says so. */
  readonly fields: readonly FieldProblem[]

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.answer = readJson(body)
    this.said = messageOf(this.answer)
    this.fields = fieldsOf(this.answer)
  }
}

/** What did not work in the browser itself, in words for the person. */
export class SaidError extends Error {}

type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: object
  /** The call outlives the page: the last word of a page that goes. */
  keepalive?: boolean
  signal?: AbortSignal
}

/**
 * Calls our API, once and with the session's cookie. Gives the parsed JSON, null for an empty answer; throws
 * an ApiError for every status but 2xx, 401 among them, and what `fetch` throws where nothing answers.
 */
export async function apiCall(path: string, call: Call = {}): Promise<unknown> {
  const text = await (await apiFetch(path, call)).text()
  return text === '' ? null : JSON.parse(text)
}

/** The same for an answer that is no JSON: its body is not read yet. */
export async function apiFetch(
  path: string,
  { method = 'GET', body, keepalive, signal }: Call = {},
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    keepalive,
    signal,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText)
  return response
}

/** The server's own sentence, and the field that it is about. */
export function problemOf(error: unknown): { field: string | null; message: string } {
  if (error instanceof SaidError) return { field: null, message: error.message }
  if (!(error instanceof ApiError)) return { field: null, message: 'Nothing answered. Please try again.' }
  const [first] = error.fields
  return {
    field: first?.path ?? null,
    message: error.said ?? 'This did not work. Please try again.',
  }
}

/** The `message` of an answer of our API, or null where it has none. */
export function messageOf(answer: unknown): string | null {
  const hasMessage = typeof answer === 'object' && answer !== null && 'message' in answer
  return hasMessage && typeof answer.message === 'string' && answer.message !== '' ? answer.message : null
}

function fieldsOf(answer: unknown): FieldProblem[] {
  if (typeof answer !== 'object' || answer === null || !('fields' in answer)) return []
  return Array.isArray(answer.fields) ? answer.fields.filter(isFieldProblem) : []
}

function isFieldProblem(each: unknown): each is FieldProblem {
  return typeof each === 'object' && each !== null && 'path' in each && 'message' in each
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
