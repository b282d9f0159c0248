import type { Executor } from '#db/db'
import { listItemsByIds } from '#src/story/queries'
import { listLimitMax } from '#src/story/rules'
import { meanOf } from '#src/vote/queries'
import { findRanking } from './kept-ranking'
import { type ContentType, inOrder, type Order, type Timeframe } from './rules'
import type { TrendingItem } from './schema'

export type TrendingFilter = { timeframe: Timeframe; type: ContentType; order: Order; limit?: number }

/** The published items that were seen, liked or rated in a timeframe, in an order, with the beginning of their texts. */
export async function listTrending(db: Executor, filter: TrendingFilter): Promise<TrendingItem[]> {
  const { items: ranking } = await findRanking(db, filter.timeframe)
  const asked = inOrder(ranking, filter.type, filter.order).slice(0, filter.limit ?? listLimitMax)
  const items = await listItemsByIds(
    db,
    asked.map(({ id }) => id),
    'preview',
  )
  const rankedById = new Map(asked.map((each) => [each.id, each]))
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
