import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { Refusal } from '#src/refusal'
import { isId } from './rules'

/**
 * The id of an item by what people see of it: its slug, or the id itself, which nobody has looked up yet. The
 * verb that gets it says whether it is one for it. Throws `not_found`.
 */
export async function requireItemId(db: Executor, idOrSlug: string): Promise<string> {
  const id = await findItemId(db, idOrSlug)
  if (id === null) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return id
}

/** The same, or null. */
export async function findItemId(db: Executor, idOrSlug: string): Promise<string | null> {
  if (isId(idOrSlug)) return idOrSlug
  const [item] = await db.select({ id: stories.id }).from(stories).where(eq(stories.slug, idOrSlug))
  return item?.id ?? null
}
