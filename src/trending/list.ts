import { and, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { stories } from '#db/schema'
import { isShownTo } from '#src/story/never-shown'
import { listItemsByIds } from '#src/story/queries'
import { listLimitMax } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { meanOf } from '#src/vote/rules'
import { findRanking } from './ranking-cache'
import { type ContentType, inOrder, type Order, type Ranked, type Timeframe } from './rules'
import type { TrendingItem } from './schema'

export type TrendingFilter = {
  timeframe: Timeframe
  type: ContentType
  order: Order
  limit?: number
  neverShown?: NeverShown | null
}

/**
 * The published items with views, votes or ratings in a timeframe, in an order, with the beginning of their texts.
 */
export async function listTrending(db: Executor, filter: TrendingFilter): Promise<TrendingItem[]> {
  const { items: ranking } = await findRanking(db, filter.timeframe)
  const ordered = inOrder(ranking, filter.type, filter.order)
  const shown = await firstShown(db, ordered, filter.limit ?? listLimitMax, filter.neverShown)
  const ids = shown.map(({ id }) => id)
  const items = await fromReplica(db, 'rankings', (from) => listItemsByIds(from, ids, 'preview'))
  const rankedById = new Map(shown.map((each) => [each.id, each]))
  return items.flatMap((item) => {
    const ranked = rankedById.get(item.id)
    if (!ranked) return []
    const { views, ratings, ratingSum, isHot, isRising, score } = ranked
    return {
      ...item,
      views,
      rating: meanOf(ratingSum, ratings),
      totalRatings: ratings,
      isHot,
      isRising,
      score,
    }
  })
}

/** The first items of a ranking that a member does not hide: filtered in chunks, since few are hidden. */
async function firstShown(
  db: Executor,
  ranking: readonly Ranked[],
  limit: number,
  neverShown: NeverShown | null | undefined,
): Promise<Ranked[]> {
  const isShown = isShownTo(neverShown)
  if (!isShown) return ranking.slice(0, limit)
  const found: Ranked[] = []
  for (let at = 0; at < ranking.length && found.length < limit; at += lookedAtTogether) {
    const piece = ranking.slice(at, at + lookedAtTogether)
    const rows = await db
      .select({ id: stories.id })
      .from(stories)
      .where(
        and(
          inArray(
            stories.id,
            piece.map(({ id }) => id),
          ),
          isShown,
        ),
      )
    const shown = new Set(rows.map(({ id }) => id))
    found.push(...piece.filter(({ id }) => shown.has(id)))
  }
  return found.slice(0, limit)
}

const lookedAtTogether = 1_000
