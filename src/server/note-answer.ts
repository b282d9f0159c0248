import { countRequest } from '#src/process/metrics'
import { noteRequest } from '#src/process/request-activity'
import { recordTrace, type Trace } from '#src/process/trace'
import type { Services } from '#src/services'

/** A request with its trace, and when it came by `performance.now()`. */
type Asked = { trace: Trace; request: Request; startedAt: number }
/** An answer, and the route that gave it. */
export type Answered = { response: Response; route: string }

/** Counts each answer for the metrics, writes its line of the log and records its span, then hands it on. */
export function answerNotes({ env, log, stopping }: Services) {
  const writeLine = env.accessLog === 'on' ? log.info : log.debug
  return ({ trace, request, startedAt }: Asked, { response, route }: Answered): Response => {
    const { method } = request
    const { status } = response
    const durationMs = performance.now() - startedAt
    noteRequest(request.url)
    countRequest({ method, route }, status, durationMs)
    // The next request of this connection finds a program that is still there.
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
