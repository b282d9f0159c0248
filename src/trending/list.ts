import { and, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { listItemsByIds } from '#src/story/find-items'
import { isShownTo } from '#src/story/never-shown'
import { listLimitMax } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { isListed } from '#src/story/shown-items'
import { meanOf } from '#src/vote/rules'
import { isNotBelow, placesOf } from './place'
import { rankingCachesOf } from './ranking-cache'
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
 * The published items with views, votes or ratings in a timeframe, in an order, with the beginning of their texts. The
 * list of a large library is cached until its next refresh, with the votes of the time of the query.
 */
export async function listTrending(db: Executor, filter: TrendingFilter): Promise<readonly TrendingItem[]> {
  const refreshedAt = await refreshIfSmall(db)
  // A small library shows each vote at once, so it is not read from a replica, which lags.
  if (refreshedAt === null) return readItems(db, filter)
  return rankingCachesOf(db).items(JSON.stringify([refreshedAt, filter]), () =>
    fromReplica(db, 'rankings', (from) => readItems(from, filter)),
  )
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
export type Ranked = Awaited<ReturnType<typeof rankedQuery>>[number]

/** The first items of a ranking, without those that the member hides. */
export async function listRanked(db: Executor, filter: TrendingFilter): Promise<Ranked[]> {
  const query = rankedQuery(db, filter)
  // Hidden categories and words are part of the statement's text: too many statements to prepare each.
  return filter.neverShown ? query : query.prepare('ranked').execute()
}

function rankedQuery(
  db: Executor,
  { timeframe, type, order, limit = listLimitMax, neverShown }: TrendingFilter,
) {
  // An item that has just left the library is still in the ranking until the next refresh.
  const isShown = sql`${and(isListed, isShownTo(neverShown))}`
  return db
    .select({
      id: sql<string>`item.story_id`,
      score: sql<number>`first.score`,
      views: sql<number>`item.views`,
      lateViews: sql<number>`item.late_views`,
      ratings: sql<number>`item.ratings`,
      ratingSum: sql<number>`item.rating_sum::int`,
      bayesianRating: sql<number>`item.bayesian_rating`,
      /** Hours since the start of the window, and of its last quarter. */
      hours: hoursSince(sql`from_at`),
      lateHours: hoursSince(sql`late_at`),
      isHot: sql<boolean>`first.score > 0 and coalesce(${isNotBelow('first', 'last_hot')}, false)`,
    })
    .from(sql`(${placesOf({ timeframe, type, order, limit, isShown })}) as first
      join trending_items as item on item.timeframe = ${timeframe} and item.story_id = first.story_id
      join trending_windows on trending_windows.timeframe = item.timeframe
      left join lateral (
        select last.*, ${scoreAt(timeframe, sql`as_of`)} as score from trending_items as last
        where last.timeframe = item.timeframe and last.story_id = trending_windows.last_hot
      ) as last_hot on true`)
    .orderBy(sql`first.place`)
}

const hoursSince = (start: SQL) => sql<number>`extract(epoch from as_of - ${start})::float8 / 3600`
