import type { RequestContext } from '#src/request/context'
import { audioForPreview } from './may-hear'

/** Answers a GET or HEAD of the beginning of a narration. Throws like `audioForPreview`. */
export async function respondPreview(
  { services, caller, request }: RequestContext,
  storyId: string,
  voice: string,
): Promise<Response> {
  const { previewSeconds } = services.env
  const file = await audioForPreview(services.db, caller, { storyId, voice, previewSeconds })
  return services.storage.respondPreview(file, previewSeconds, request)
}
