import type { Executor } from '#db/db'
import { Refusal } from '#src/refusal'
import { findItem } from '#src/story/queries'
import type { Item } from '#src/story/schema'

/** An item that a member may open, and so have an opinion of. Throws `not_found`. */
export async function requireOpenItem(db: Executor, memberId: string | null, id: string): Promise<Item> {
  const item = await findItem(db, { id }, 'none', memberId)
  if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return item
}
