import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { isId } from '#src/shape/id'
import { missingItem } from './require-item'

/**
 * Finds the id of an item by its slug. An id is returned as it is, without a lookup: the caller checks whether it may
 * use the item. Throws `not_found`.
 */
export async function requireItemId(db: Executor, idOrSlug: string): Promise<string> {
  const id = await findItemId(db, idOrSlug)
  if (id === null) throw missingItem()
  return id
}

/** Like `requireItemId`, but returns null. */
export async function findItemId(db: Executor, idOrSlug: string): Promise<string | null> {
  if (isId(idOrSlug)) return idOrSlug
  const [item] = await db.select({ id: stories.id }).from(stories).where(eq(stories.slug, idOrSlug))
  return item?.id ?? null
}
