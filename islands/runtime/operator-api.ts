import { type Answer, apiOnce, type Call, type GivenTo } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'

/**
 * A call of the console. A success extends the session; if the session is over, the console asks for the token again.
 */
export function operatorApi<C extends Call>(call: C, ...given: GivenTo<C>): Promise<Answer<C>> {
  return reportCall(call, given[0], () => apiOnce(call, ...given))
}

/** Sends an operator's call by `send`, and reports its outcome to the console. */
export async function reportCall<T>(
  call: Call,
  given: object | undefined,
  send: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await send()
    emit('nocturne:operator-seen', {})
    if (!call.startsWith('GET ') && !isDryRun(given)) emit('nocturne:operator-acted', {})
    return answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) emit('nocturne:operator-ended', {})
    throw error
  }
}

function isDryRun(given: object = {}): boolean {
  const { query } = { query: undefined, ...given }
  return typeof query === 'object' && query !== null && 'dryRun' in query
}
