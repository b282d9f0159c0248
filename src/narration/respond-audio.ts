import type { RequestContext } from '#src/http/context'
import type { Parts } from '#src/parts'
import { audioFor } from './may-hear'
import { findPermission, keepPermission, permissionKey } from './permissions'

/** Answers a GET or HEAD of a narration to someone who may hear it; refuses as `audioFor` does. */
export async function respondAudio(
  parts: Parts,
  request: Request,
  context: RequestContext,
  storyId: string,
  voice: string,
): Promise<Response> {
  const file = await audioFor(parts.db, context.caller, storyId, voice)
  const key = permissionKey(request)
  if (key !== null) keepPermission(key, file)
  return parts.storage.respond(file, request)
}

/**
 * The same answer to what was asked within the last five seconds by the same session, before anything else of
 * the request is read: a player asks for a narration in hundreds of ranges. Null where the pipeline has to
 * find out. Rejects where the file is gone meanwhile.
 */
export function respondKnownAudio(parts: Parts, request: Request): Response | Promise<Response> | null {
  if (!request.url.includes('/api/premium-audio/')) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const key = permissionKey(request)
  const file = key === null ? null : findPermission(key)
  return file && parts.storage.respond(file, request)
}
