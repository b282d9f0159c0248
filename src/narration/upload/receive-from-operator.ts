import { isOperatorSessionOpen } from '#src/operator/session'
import { type Caller, requireOperator } from '#src/request/caller'
import type { Services } from '#src/services'
import { receiveUpload, type Upload, type UploadLimits } from './receive-upload'

/**
 * An operator's upload. Its session is looked at again once all has arrived: a slow one of a gigabyte outlasts the press
 * that signs a lost device out. Throws `operator_required`, and what `receiveUpload` throws.
 */
export async function receiveFromOperator(
  services: Pick<Services, 'db' | 'secrets' | 'storage'>,
  { request, caller }: { request: Request; caller: Caller },
  limits: UploadLimits,
): Promise<Upload> {
  const { sid } = requireOperator(caller)
  const upload = await receiveUpload(services, request, limits)
  try {
    const isOpen = sid === null || (await isOperatorSessionOpen(services, sid))
    requireOperator(isOpen ? caller : { ...caller, operator: null })
    return upload
  } catch (error) {
    for (const { staged } of upload.files) await services.storage.discard(staged)
    throw error
  }
}
