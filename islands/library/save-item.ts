import { UserFacingError } from '#islands/runtime/api-error'
import { operatorApi } from '#islands/runtime/operator-api'
import { labelOf } from '#src/shape/invalid-field'
import { differing, keysOf, pick } from '#src/shape/pick'
import type { PremiumEdit, PremiumItem } from '#src/story/draft-schema'

/**
 * Saves changed fields of an item that was read earlier. Changes by others to other fields stay. Throws a
 * `UserFacingError` if somebody else has changed one of the same fields.
 */
export async function saveItem(
  read: Pick<PremiumItem, 'id'> & Partial<PremiumItem>,
  changed: PremiumEdit,
): Promise<PremiumItem> {
  const path = { id: read.id }
  const now = await operatorApi('GET /api/premium-content/:id', { path })
  // A field that already has the new value was saved by a request whose response was lost, or by somebody else.
  const fields = keysOf(differing(changed, now))
  const taken = keysOf(differing(pick(now, fields), read))
  if (taken.length > 0)
    throw new UserFacingError(
      `Somebody else has changed this in the meantime (${taken.map(labelOf).join(', ')}). Copy what you typed, then open it again and check it.`,
    )
  return operatorApi('PUT /api/premium-content/:id', { path, body: changed, ifMatch: now.updatedAt })
}
