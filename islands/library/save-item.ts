import { UserFacingError } from '#islands/runtime/api-error'
import { operatorApi } from '#islands/runtime/operator-api'
import { labelOf } from '#src/shape/invalid-field'
import { differing, keysOf, pick } from '#src/shape/pick'
import type { PremiumEdit, PremiumItem } from '#src/story/draft-schema'

/**
 * Saves changed fields of an item that was read a while ago. What others have changed since stays; throws a
 * `UserFacingError` where that is one of the same fields.
 */
export async function saveItem(
  read: Pick<PremiumItem, 'id'> & Partial<PremiumItem>,
  changed: PremiumEdit,
): Promise<PremiumItem> {
  const path = { id: read.id }
  const now = await operatorApi('GET /api/premium-content/:id', { path })
  // A field that is already as it is to be was saved by an answer that was lost, or by somebody of the same mind.
  const fields = keysOf(differing(changed, now))
  const taken = keysOf(differing(pick(now, fields), read))
  if (taken.length > 0)
    throw new UserFacingError(
      `Somebody else has changed this meanwhile (${taken.map(labelOf).join(', ')}). Copy what you typed, then open it again and look at it.`,
    )
  return operatorApi('PUT /api/premium-content/:id', { path, body: changed, seen: now.updatedAt })
}
