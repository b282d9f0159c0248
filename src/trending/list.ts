import { and, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { isShownTo } from '#src/story/never-shown'
import { isListed, listItemsByIds } from '#src/story/queries'
import { listLimitMax } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { meanOf } from '#src/vote/rules'
import { isNotBelow, placesOf } from './place'
import { refreshIfSmall } from './refresh'
import { type ContentType, isRising, type Order, type Timeframe, timeframeHours } from './rules'
import type { TrendingItem } from './schema'
import { scoreAt } from './score'

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
  // A small library has each vote at once, so it is not read where votes come late.
  if (await refreshIfSmall(db)) return readItems(db, filter)
  return fromReplica(db, 'rankings', (from) => readItems(from, filter))
}

async function readItems(db: Executor, filter: TrendingFilter): Promise<TrendingItem[]> {
  const ranked = await listRanked(db, filter)
  const items = await listItemsByIds(
    db,
    ranked.map(({ id }) => id),
    'preview',
  )
  const rankedById = new Map(ranked.map((each) => [each.id, each]))
  return items.flatMap((item) => {
    const found = rankedById.get(item.id)
    if (!found) return []
    const { views, ratings, ratingSum, isHot, score } = found
    return {
      ...item,
      views,
      rating: meanOf(ratingSum, ratings),
      totalRatings: ratings,
      isHot,
      isRising: isRising(found, timeframeHours[filter.timeframe] === null ? null : found),
      score,
    }
  })
}

/** An item's place in a ranking, as the last refresh left it. */
export type Ranked = {
  id: string
  score: number
  views: number
  lateViews: number
  ratings: number
  ratingSum: number
  bayesianRating: number
  isHot: boolean
  /** Of the window, and of its last quarter. */
  hours: number
  lateHours: number
}

/** The first items of a ranking, without those that a member hides. */
export async function listRanked(
  db: Executor,
  { timeframe, type, order, limit = listLimitMax, neverShown }: TrendingFilter,
): Promise<Ranked[]> {
  // What has just left the library stands in the ranking until the next refresh.
  const isShown = sql`${and(isListed, isShownTo(neverShown))}`
  const rows = await db.execute<Ranked>(sql`
    select item.story_id as id, first.score, item.views, item.late_views as "lateViews", item.ratings,
      item.rating_sum::int as "ratingSum", item.bayesian_rating as "bayesianRating",
      ${hoursSince(sql`from_at`)} as hours, ${hoursSince(sql`late_at`)} as "lateHours",
      first.score > 0 and coalesce(${isNotBelow('first', 'last_hot')}, false) as "isHot"
    from (${placesOf({ timeframe, type, order, limit, isShown })}) as first
      join trending_items as item on item.timeframe = ${timeframe} and item.story_id = first.story_id
      join trending_windows on trending_windows.timeframe = item.timeframe
      left join lateral (
        select last.*, ${scoreAt(timeframe, sql`as_of`)} as score from trending_items as last
        where last.timeframe = item.timeframe and last.story_id = trending_windows.last_hot
      ) as last_hot on true
    order by first.place`)
  return [...rows]
}

const hoursSince = (start: SQL) => sql`extract(epoch from as_of - ${start})::float8 / 3600`
