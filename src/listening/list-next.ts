import { and, arrayOverlaps, desc, eq, inArray, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { findSettings } from '#src/member/settings/settings'
import type { Caller } from '#src/request/caller'
import { isId } from '#src/shape/id'
import { findItem, listOpenItems } from '#src/story/find-items'
import { isShownTo } from '#src/story/never-shown'
import type { Item } from '#src/story/schema'
import { isListed } from '#src/story/shown-items'
import { queueAskedMax, similarMax } from './rules'
import type { NextItems, NextQuery } from './schema'

type Who = Pick<Caller, 'member' | 'operator' | 'neverShown'>

/**
 * Lists the items that may follow an item: those queued by hand, then the list it was played from, then those of its
 * type that share a category, the newest first. Lists only items with audio that this caller may hear and does not
 * hide. A day of a challenge follows another one only if the listener has queued it. Null if there is no such item.
 */
export async function listNext(
  db: Executor,
  { member, operator, neverShown }: Who,
  itemId: string,
  query: NextQuery,
): Promise<NextItems | null> {
  const memberId = member?.id ?? null
  const item = await findItem(db, { id: itemId }, 'none', memberId)
  if (!item) return null
  const settings = memberId ? await findSettings(db, memberId) : null
  const mayFollow = and(
    ne(stories.id, item.id),
    hasAudio,
    member || operator ? undefined : sql`${stories.isFree} and ${stories.source} = 'pre_uploaded'`,
    isShownTo(neverShown),
  )
  const chosen = readIds(query.chosen)
  const around = readIds(query.around).filter((id) => !chosen.includes(id))
  const candidates = await listCandidates(db, mayFollow, item, { chosen, around })
  const room = similarMax - candidates.length
  const passed = [item.id, ...candidates, ...readIds(query.without)]
  const similar = room > 0 ? await listSimilar(db, mayFollow, item, { passed, limit: room }) : []
  return {
    autoPlay: settings?.autoPlayNext ?? null,
    speed: settings?.playbackSpeed ?? null,
    items: await listOpenItems(db, [...candidates, ...similar], memberId),
  }
}

/** The items of a queue that may follow, in its order. */
async function listCandidates(
  db: Executor,
  mayFollow: SQL | undefined,
  item: Item,
  { chosen, around }: { chosen: readonly string[]; around: readonly string[] },
): Promise<string[]> {
  const ids = [...chosen, ...around]
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: stories.id, isOtherDay: isOtherDayOf(item.id) })
    .from(stories)
    .where(and(mayFollow, inArray(stories.id, ids)))
  const found = new Map(rows.map((row) => [row.id, row.isOtherDay]))
  return ids.filter((id) => found.has(id) && (chosen.includes(id) || !found.get(id)))
}

async function listSimilar(
  db: Executor,
  mayFollow: SQL | undefined,
  { id, type, categories }: Item,
  { passed, limit }: { passed: readonly string[]; limit: number },
): Promise<string[]> {
  if (categories.length === 0) return []
  const rows = await db
    .select({ id: stories.id })
    .from(stories)
    .where(
      and(
        isListed,
        eq(stories.type, type),
        arrayOverlaps(stories.categories, [...categories]),
        notInArray(stories.id, [...passed]),
        mayFollow,
        sql`not ${isOtherDayOf(id)}`,
      ),
    )
    .orderBy(desc(stories.publishedAt), desc(stories.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

const hasAudio = sql`exists (select 1 from narrations where narrations.story_id = stories.id and narrations.is_current)`

/** Condition of items that are another day of a challenge of the given item. */
function isOtherDayOf(itemId: string): SQL<boolean> {
  return sql<boolean>`exists (
    select 1 from challenge_flows as day join challenge_flows as other on other.challenge_id = day.challenge_id
    where day.story_id = ${itemId}::uuid and other.story_id = stories.id)`
}

function readIds(text = ''): string[] {
  return [...new Set(text.split(',').filter(isId))].slice(0, queueAskedMax)
}
