import { type Answer, apiOnce, type Call, type GivenTo } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'

/**
 * A call of the console. A success extends the session; if the session is over, the console asks for the token again.
 */
export async function operatorApi<C extends Call>(call: C, ...given: GivenTo<C>): Promise<Answer<C>> {
  try {
    const answer = await apiOnce(call, ...given)
    emit('nocturne:operator-seen', {})
    if (!call.startsWith('GET ') && !isDryRun(given[0])) emit('nocturne:operator-acted', {})
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
