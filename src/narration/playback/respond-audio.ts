import type { RequestContext } from '#src/request/context'
import type { AudioStorage } from '#src/storage/storage'
import { audioFor } from './may-hear'
import { cachePermission, findPermission, permissionKey } from './permissions'

/** Answers a GET or HEAD of a narration to a caller who may hear it; refuses as `audioFor` does. */
export async function respondAudio(
  context: RequestContext,
  storyId: string,
  voice: string,
): Promise<Response> {
  const { services, request } = context
  const file = await audioFor(services.db, context.caller, storyId, voice)
  const key = permissionKey(request)
  if (key !== null) cachePermission(key, file)
  return services.storage.respond(file, request)
}

/**
 * The same answer to the same session's requests within five seconds, before anything else of them is looked at: a
 * player requests a narration in hundreds of ranges. Null where the pipeline has to check, and where the file is gone
 * meanwhile.
 */
export function respondKnownAudio(
  storage: AudioStorage,
  request: Request,
): Response | null | Promise<Response | null> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const key = permissionKey(request)
  const file = key === null ? null : findPermission(key)
  if (!file) return null
  const answer = storage.respond(file, request)
  return answer instanceof Promise ? answer.catch(() => null) : answer
}
