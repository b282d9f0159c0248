import { requireOpenOperator } from '#src/operator/session'
import { type Caller, requireOperator } from '#src/request/caller'
import type { Services } from '#src/services'
import { receiveUpload, type Upload, type UploadLimits } from './receive-upload'

/**
 * Receives an operator's upload and checks the session again once everything has arrived: a slow upload of a gigabyte
 * may last until after the operator signs out a lost device. Throws `operator_required`, and what `receiveUpload`
 * throws.
 */
export async function receiveFromOperator(
  services: Pick<Services, 'db' | 'secrets' | 'storage'>,
  { request, caller }: { request: Request; caller: Caller },
  limits: UploadLimits,
): Promise<Upload> {
  requireOperator(caller)
  const upload = await receiveUpload(services, request, limits)
  try {
    await requireOpenOperator(services, caller)
    return upload
  } catch (error) {
    for (const { staged } of upload.files) await services.storage.discard(staged)
    throw error
  }
}
