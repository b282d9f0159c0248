import { and, desc, gt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { isShownTo, type NeverShown } from '#src/story/never-shown'
import { listItemsByIds } from '#src/story/queries'
import { exactCountMax } from '#src/story/rules'
import type { Item } from '#src/story/schema'

export type NewItems = { since: Date | null; items: Item[]; count: number }

const shelfMax = 6

/** What came into the library since a moment, the newest first; on a first visit (null) simply the newest. */
export async function listNewItems(
  db: Executor,
  since: Date | null,
  neverShown: NeverShown | null = null,
): Promise<NewItems> {
  const isListed = sql`${stories.status} = 'published' and ${stories.source} = 'pre_uploaded'`
  const isNew: SQL | undefined = and(
    isListed,
    since ? gt(stories.publishedAt, since) : undefined,
    isShownTo(neverShown),
  )
  const rows = await db
    .select({ id: stories.id })
    .from(stories)
    .where(isNew)
    .orderBy(desc(stories.publishedAt), desc(stories.id))
    .limit(shelfMax)
  const [counted] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from stories where ${isNew} limit ${exactCountMax}) as new`,
  )
  const items = await listItemsByIds(
    db,
    rows.map(({ id }) => id),
  )
  return { since, items, count: counted?.count ?? 0 }
}
