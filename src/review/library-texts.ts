import { and, asc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { judgedText } from '#src/guideline/judged-columns'
import { isOpenToOperators } from '#src/story/operator-sight'

/** Items whose texts are in memory at once; fifty of the longest are 100 MB. */
export const textsAtOnce = 50

/** The columns that the guidelines judge, and the item's status. */
export const judgedColumns = {
  id: stories.id,
  status: stories.status,
  heldFrom: stories.heldFrom,
  updatedAt: stories.updatedAt,
  ...judgedText,
  isOpenToOperators: sql<boolean>`${isOpenToOperators()}`,
}

/** Condition of all items that are not removed, members' own among them. */
export const isInLibrary = ne(stories.status, 'removed')

/** Yields the texts of the library in pages, by id; with `where`, only those of some items. */
export async function* readTexts(db: Executor, where?: SQL) {
  for (let after: string | null = null; ; ) {
    const items = await nextTexts(db, after, where)
    if (items.length > 0) yield items
    if (items.length < textsAtOnce) return
    after = items.at(-1)?.id ?? null
  }
}

export type LibraryText = Awaited<ReturnType<typeof nextTexts>>[number]

/** Lists the texts of some items, except removed ones. */
export function listTexts(db: Executor, ids: readonly string[]): Promise<LibraryText[]> {
  return nextTexts(db, null, inArray(stories.id, [...ids]))
}

function nextTexts(db: Executor, after: string | null, where: SQL | undefined) {
  return db
    .select(judgedColumns)
    .from(stories)
    .where(and(isInLibrary, after ? gt(stories.id, after) : undefined, where))
    .orderBy(asc(stories.id))
    .limit(textsAtOnce)
}

/**
 * Runs `work` on items whose rows are locked: first, in one transaction, on those that nobody else has locked, then on
 * each of the others in its own. So it never waits for a row while it has locked another, and cannot deadlock with an
 * import.
 */
export async function withLockedTexts<T>(
  db: Database,
  ids: readonly string[],
  work: (tx: Transaction, items: LibraryText[]) => Promise<T>,
): Promise<T[]> {
  if (ids.length === 0) return []
  const locked = new Set<string>()
  const first = await db.transaction(async (tx) => {
    const items = await tx
      .select(judgedColumns)
      .from(stories)
      .where(inArray(stories.id, [...ids]))
      .orderBy(asc(stories.id))
      .for('update', { skipLocked: true })
    for (const { id } of items) locked.add(id)
    return work(tx, items)
  })
  const results = [first]
  for (const id of ids) {
    if (locked.has(id)) continue
    results.push(
      await db.transaction(async (tx) =>
        work(tx, await tx.select(judgedColumns).from(stories).where(eq(stories.id, id)).for('update')),
      ),
    )
  }
  return results
}
