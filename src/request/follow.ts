import { type FollowedList, listRemovals, removalDays } from '#db/changes'
import type { Executor } from '#db/db'
import { changedSince, type FollowQuery, type Removal, readSince } from '#src/shape/changes'

/**
 * A list that is read at once: whole, or with `updatedSince` what changed of it since then, the longest ago first, and
 * what left it. Throws `invalid`.
 */
export async function followList<T extends { updatedAt: string | null }>(
  db: Executor,
  kind: FollowedList,
  query: FollowQuery,
  readAll: () => Promise<T[]>,
): Promise<(T | Removal)[]> {
  const since = readSince(query, removalDays)
  if (!since) return readAll()
  return [...changedSince(await readAll(), since), ...(await listRemovals(db, kind, since))]
}

/** The same of a list whose removals nobody notes. Throws `invalid`. */
export async function followChanges<T extends { updatedAt: string | Date | null }>(
  query: Pick<FollowQuery, 'updatedSince'>,
  readAll: () => Promise<T[]>,
): Promise<T[]> {
  const since = readSince(query, removalDays)
  return since ? changedSince(await readAll(), since) : readAll()
}
