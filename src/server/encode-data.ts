import { encodeAnswer } from '#src/http/encoding'
import { entityTagOf, isKnown } from '#src/http/entity-tag'
import type { RequestContext } from '#src/request/context'

/**
 * Encodes JSON and feeds. The answer of a route gets an entity tag; a client that already has it gets 304 without a
 * body.
 */
export async function encodeData(
  { request, route, caller }: RequestContext,
  answer: Response,
): Promise<Response> {
  const accepted = request.headers.get('accept-encoding')
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const isTagged = answer.ok && route && !answer.headers.has('etag') && (isReading || route.isVersioned)
  if (!isTagged) return encodeAnswer(answer, accepted)
  const tagged = await encodeAnswer(answer, accepted, (body, encoding) => entityTagOf(body, encoding, route))
  const { headers } = tagged
  // A script may cache what it reads. A browser may not, since other people may use it.
  if (caller.operator?.via === 'bearer' && !headers.has('cache-control'))
    headers.set('cache-control', 'private, no-cache')
  if (!isReading || !isKnown(request, headers.get('etag') ?? '')) return tagged
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name)
  return new Response(null, { status: 304, headers })
}
