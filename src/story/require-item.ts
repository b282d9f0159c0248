import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { findItem } from './find-items'
import type { Item } from './schema'

/** Finds an item that `memberId` (null for a visitor) may open, without its text. Throws `not_found`. */
export async function requireOpenItem(db: Executor, memberId: string | null, id: string): Promise<Item> {
  const item = await findItem(db, { id }, 'none', memberId)
  if (!item) throw missingItem()
  return item
}

export function missingItem(): AppError {
  return new AppError('not_found', 'There is no such item. It may have been removed.')
}
