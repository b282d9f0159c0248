import type { RequestContext } from '#src/request/context'
import { findPermission, permissionKey, startPermission } from '#src/session/audio-permissions'
import type { AudioStorage } from '#src/storage/storage'
import { audioFor } from './may-hear'

/** Answers a GET or HEAD of a narration. Throws like `audioFor` if the caller may not hear it. */
export async function respondAudio(
  context: RequestContext,
  storyId: string,
  voice: string,
): Promise<Response> {
  const { services, request } = context
  const key = permissionKey(request)
  const cachePermission = key === null ? null : startPermission(key)
  const file = await audioFor(services.db, context.caller, storyId, voice)
  cachePermission?.(file)
  return services.storage.respond(file, request)
}

/**
 * Answers a request whose session was permitted the same file within the last five seconds, before the pipeline does
 * any other work: a player requests a narration in hundreds of ranges. Null if the pipeline has to check, or if the
 * file is gone.
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
