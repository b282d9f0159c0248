import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { findItem } from '#src/story/queries'
import type { Item } from '#src/story/schema'

/** An item that a member may open, and so rate. Throws `not_found`. */
export async function requireOpenItem(db: Executor, memberId: string | null, id: string): Promise<Item> {
  const item = await findItem(db, { id }, 'none', memberId)
  if (!item) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  return item
}
