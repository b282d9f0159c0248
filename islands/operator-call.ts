import { ApiError, apiCall, apiFetch } from '#islands/api-call'
import { emit } from '#islands/events'

/** A call of the console: it keeps the session, and asks for the token anew where there is none any longer. */
export function operatorCall(...call: Parameters<typeof apiCall>): Promise<unknown> {
  return asOperator(apiCall(...call))
}

/** The same for an answer that is no JSON. */
export function operatorFetch(...call: Parameters<typeof apiFetch>): Promise<Response> {
  return asOperator(apiFetch(...call))
}

async function asOperator<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    const answer = await call
    emit('nocturne:operator-seen', {})
    return answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) emit('nocturne:operator-ended', {})
    throw error
  }
}

/** operator.md §5: what a form says when the session is over. */
const sessionOver = 'Unauthorized: Admin session required. Please refresh and try again.'

/** What to tell the operator of a call that failed: the server's words, else `otherwise`. */
export function failureWords(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) return otherwise
  return error.status === 401 ? sessionOver : (error.said ?? otherwise)
}
