import { type FollowedList, listRemovals, removalDays } from '#db/changes'
import type { Executor } from '#db/db'
import { type FollowQuery, type Removal, readSince } from '#src/shape/changes'

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
  const from = since.since.toISOString()
  const changed = (await readAll()).filter(({ updatedAt }) => updatedAt !== null && updatedAt >= from)
  const inOrder = changed.toSorted((a, b) => (a.updatedAt ?? '').localeCompare(b.updatedAt ?? ''))
  return [...inOrder, ...(await listRemovals(db, kind, since))]
}
