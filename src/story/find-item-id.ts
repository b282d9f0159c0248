import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { isId } from '#src/shape/id'
import { missingItem } from './require-item'

/**
 * The id of an item by its slug, or an id as it is, without a lookup. The calling verb checks whether the item suits
 * it. Throws `not_found`.
 */
export async function requireItemId(db: Executor, idOrSlug: string): Promise<string> {
  const id = await findItemId(db, idOrSlug)
  if (id === null) throw missingItem()
  return id
}

/** The same, or null. */
export async function findItemId(db: Executor, idOrSlug: string): Promise<string | null> {
  if (isId(idOrSlug)) return idOrSlug
  const [item] = await db.select({ id: stories.id }).from(stories).where(eq(stories.slug, idOrSlug))
  return item?.id ?? null
}
