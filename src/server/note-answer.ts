import { countRequest } from '#src/process/metrics'
import { noteRequest } from '#src/process/request-activity'
import { recordTrace, type Trace } from '#src/process/trace'
import type { Services } from '#src/services'

/** A request with its trace. `startedAt` is when it arrived, by `performance.now()`. */
type Asked = { trace: Trace; request: Request; startedAt: number }
/** An answer and the route that produced it. */
export type Answered = { response: Response; route: string }

/** Counts each answer for the metrics, logs it, records its span, and returns it. */
export function answerNotes({ env, log, stopping }: Services) {
  const writeLine = env.accessLog === 'on' ? log.info : log.debug
  return ({ trace, request, startedAt }: Asked, { response, route }: Answered): Response => {
    const { method } = request
    const { status } = response
    const durationMs = performance.now() - startedAt
    noteRequest(request.url)
    countRequest({ method, route }, status, durationMs)
    // Makes the client open a new connection for its next request, to a program that is still running.
    if (stopping.aborted) response.headers.set('connection', 'close')
    writeLine('request', { method, route, status, durationMs })
    recordTrace(trace, () => ({
      name: route,
      kind: 'server',
      startedAt,
      attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
      isFailed: status >= 500,
    }))
    return response
  }
}
