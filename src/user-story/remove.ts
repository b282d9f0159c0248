import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { isId } from '#src/shape/id'
import { libraryChanged } from '#src/story/library-changed'
import { isOwn } from './find-own'

/** Deletes a member's own item with its narration and its jobs, for good. Throws `not_found`. */
export async function removeOwn(db: Database, memberId: string, id: string): Promise<void> {
  const removed = isId(id)
    ? await db.delete(stories).where(isOwn(memberId, id)).returning({ id: stories.id })
    : []
  if (removed.length === 0) throw new AppError('not_found', 'There is no such item. It may be gone already.')
  // Others may have the item open, and permissions for its audio may be cached.
  await libraryChanged(db)
}
