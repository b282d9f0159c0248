import { type ListWithRemovals, listRemovals, removalDays } from '#db/changes'
import type { Executor } from '#db/db'
import { type ChangesQuery, changedSince, type Removal, readSince } from '#src/shape/changes'

/**
 * A list that is read in one piece. With `updatedSince`, returns only the entries that changed since then, oldest
 * change first, and the removals. Throws `invalid`.
 */
export async function listChangedAndRemoved<T extends { updatedAt: string | null }>(
  db: Executor,
  kind: ListWithRemovals,
  query: ChangesQuery,
  readAll: () => Promise<T[]>,
): Promise<(T | Removal)[]> {
  const since = readSince(query, removalDays)
  if (!since) return readAll()
  return [...changedSince(await readAll(), since), ...(await listRemovals(db, kind, since))]
}

/** Like `listChangedAndRemoved`, for a list whose removals are not recorded. Throws `invalid`. */
export async function listChanged<T extends { updatedAt: string | Date | null }>(
  query: Pick<ChangesQuery, 'updatedSince'>,
  readAll: () => Promise<T[]>,
): Promise<T[]> {
  const since = readSince(query, removalDays)
  return since ? changedSince(await readAll(), since) : readAll()
}
