import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#db/db'
import { isUnavailable } from '#db/failures'
import { lock, tryLock } from '#db/locks'
import { prepareOnce } from '#db/prepared'
import { trendingWindows } from '#db/schema'
import type { Log } from '#src/process/log'
import { type RepeatedWork, runEvery } from '#src/process/run-every'
import { isListed } from '#src/story/shown-items'
import { at, leaving, seenIn, type WindowStart, windowStart } from './activity'
import { placesOf } from './place'
import {
  atOnceMax,
  hotShare,
  meanRatingDefault,
  meanRatingStep,
  type Timeframe,
  timeframeHours,
  timeframes,
} from './rules'
import { rated, wilsonBound } from './score'

/** How many changes one transaction takes: a few hundred milliseconds of work. */
const batchMax = 2_000
const everySeconds = 10
/** How often a large library finds its last hot item, which takes reading a tenth of the items. */
const hotSeconds = 60
/** The rankings use the database's clock, since several processes may run on machines with different clocks. */
const databaseTime = sql`statement_timestamp()`

/** Refreshes the rankings repeatedly while the program runs. Only one process of a database refreshes at a time. */
export function startRanking(db: Database, log: Log): RepeatedWork {
  const often = {
    seconds: everySeconds,
    first: 'now',
    failure: 'the rankings could not be brought up to date',
    log,
  } as const
  const stopping = new AbortController()
  const work = runEvery(often, () => refreshRankings(db, { signal: stopping.signal }))
  return {
    stop() {
      stopping.abort()
      return work.stop()
    },
  }
}

/**
 * Refreshes the rankings: places the items that have changed, that have activity dropping out of a window, or that have
 * stopped ageing. Does nothing if another process is refreshing. Stops after the current batch once `signal` is
 * aborted, since the first refresh of a large library takes minutes. Returns the number of changes.
 */
export async function refreshRankings(
  db: Executor,
  { now = databaseTime, signal }: { now?: SQL; signal?: AbortSignal } = {},
): Promise<number> {
  for (let taken = 0; ; ) {
    const batch = await db.transaction(async (tx) =>
      (await tryLock(tx, 'rankings')) ? refreshBatch(tx, now) : 0,
    )
    taken += batch
    if (batch < batchMax || signal?.aborted) return taken
  }
}

/**
 * Refreshes the rankings of a small library before they are read, so that each vote and view shows at once; waits for
 * another process that is refreshing. Returns the instant of a large library's last refresh, after which its rankings
 * stay as they are until the next; null for a small library. If the database cannot be written, the rankings remain as
 * they are.
 */
export async function refreshIfSmall(db: Executor): Promise<string | null> {
  const { items, hasChanges, ageSeconds, asOf } = await findNews(db)
  if (items > atOnceMax) return asOf
  if (!hasChanges && ageSeconds < everySeconds) return null
  try {
    await db.transaction(async (tx) => {
      await lock(tx, 'rankings')
      await refreshBatch(tx, databaseTime)
    })
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
  return null
}

async function findNews(db: Executor) {
  const [news] = await newsQuery(db).execute()
  if (!news) throw new Error('The table trending_windows is empty.')
  return news
}

const newsQuery = prepareOnce((db) =>
  db
    .select({
      // No other timeframe has more items than All Time. The planner's estimate also counts items without any activity.
      items: sql<number>`greatest(items, (select reltuples from pg_class where oid = 'stories'::regclass))::float8`,
      hasChanges: sql<boolean>`exists (select from trending_changes)`,
      ageSeconds: sql<number>`extract(epoch from clock_timestamp() - as_of)::float8`,
      asOf: sql<string>`as_of::text`,
    })
    .from(trendingWindows)
    .where(eq(trendingWindows.timeframe, 'all'))
    .prepare('news'),
)

/** Processes up to `batchMax` changes, in the transaction that holds the lock. */
async function refreshBatch(tx: Transaction, now: SQL): Promise<number> {
  const starts = await moveWindows(tx, now)
  const changes = await tx.execute<{ storyId: string; timeframe: Timeframe | null }>(sql`
    delete from trending_changes where id in (select id from trending_changes order by id limit ${batchMax})
    returning story_id as "storyId", timeframe`)
  for (const timeframe of timeframes) {
    const changed = changes.filter((each) => each.timeframe === null || each.timeframe === timeframe)
    const ids = [...new Set(changed.map(({ storyId }) => storyId))]
    if (ids.length > 0) await placeAgain(tx, timeframe, starts[timeframe], ids)
  }
  // The last of several batches does the work that concerns more than its own items.
  if (changes.length < batchMax) await finishWindows(tx)
  return changes.length
}

/** Moves all windows to an instant, and records the changes that this causes. */
async function moveWindows(tx: Transaction, instant: SQL): Promise<Record<Timeframe, WindowStart>> {
  const before = await tx.execute<{ timeframe: Timeframe; fromAt: string; lateAt: string; now: string }>(sql`
    select timeframe, from_at as "fromAt", late_at as "lateAt", ${instant} as now from trending_windows`)
  const now = new Date(before[0]?.now ?? '')
  const starts = mapTimeframes((timeframe) => windowStart(timeframe, now))
  const left = before.map(({ timeframe, fromAt, lateAt }) => {
    const start = { from: new Date(fromAt), late: new Date(lateAt) }
    return sql`select story_id, ${timeframe}::text from (${leaving(timeframe, start, starts[timeframe])}) as gone`
  })
  await tx.execute(sql`
    with due as (
      update trending_items set ageing_changes_at = null where ageing_changes_at <= ${at(now)} returning story_id, timeframe
    )
    insert into trending_changes (story_id, timeframe)
    ${sql.join(left, sql` union all `)} union all select story_id, timeframe from due`)
  await tx.execute(sql`
    update trending_windows as moved set from_at = starts.from_at, late_at = starts.late_at, as_of = ${at(now)}
    from (values ${sql.join(
      timeframes.map((each) => sql`(${each}, ${at(starts[each].from)}, ${at(starts[each].late)})`),
      sql`, `,
    )}) as starts(timeframe, from_at, late_at) where moved.timeframe = starts.timeframe`)
  return starts
}

/** Removes items from a ranking, and places those that belong to it by their current figures. */
async function placeAgain(
  tx: Transaction,
  timeframe: Timeframe,
  start: WindowStart,
  storyIds: readonly string[],
): Promise<void> {
  const ids = sql`${`{${storyIds.join(',')}}`}::uuid[]`
  await tx.execute(sql`
    with changed as (delete from trending_items where timeframe = ${timeframe} and story_id = any(${ids}) returning *)
    ${addToWindow(timeframe, sql`-1`)}`)
  await tx.execute(sql`
    with seen as materialized (${seenIn(timeframe, start, ids)}), figures as (
      select seen.story_id, stories.type, stories.published_at, seen.views, seen.late_views, seen.upvotes,
        coalesce(item_totals.ratings, 0) as ratings, coalesce(item_totals.rating_sum, 0) as rating_sum,
        ${wilsonBound(sql`stories.upvotes`, sql`stories.downvotes`)} as vote_bound,
        ${ageing(timeframe)}, mean_rating
      from seen join stories on stories.id = seen.story_id and ${isListed}
        left join item_totals on item_totals.story_id = seen.story_id
        join trending_windows on timeframe = ${timeframe}
    ), changed as (
      insert into trending_items (timeframe, story_id, type, is_ageing, ageing_changes_at, key, quality, vote_bound,
        bayesian_rating, views, late_views, upvotes, ratings, rating_sum, published_at)
      select ${timeframe}, story_id, type, is_ageing, ageing_changes_at, key, quality, vote_bound,
        bayesian_rating, views, late_views, upvotes, ratings, rating_sum, published_at
      from figures cross join lateral ${rated(timeframe, sql`mean_rating`)} as rated
      returning *
    ) ${addToWindow(timeframe, sql`1`)}`)
}

/** `is_ageing` and `ageing_changes_at` of an item of `stories` at a window's `as_of`. */
function ageing(timeframe: Timeframe): SQL {
  const hours = timeframeHours[timeframe]
  if (hours === null) return sql`false as is_ageing, null::timestamptz as ageing_changes_at`
  const end = sql`published_at + make_interval(hours => ${hours}::int)`
  return sql`published_at <= as_of and as_of < ${end} as is_ageing,
    case when as_of < published_at then published_at when as_of < ${end} then ${end} end as ageing_changes_at`
}

/** Adds the rows of the CTE `changed` to the sums of a window, or subtracts them. */
function addToWindow(timeframe: Timeframe, sign: SQL): SQL {
  return sql`update trending_windows as sums set items = sums.items + ${sign} * added.items,
      scored = sums.scored + ${sign} * added.scored, views = sums.views + ${sign} * added.views,
      upvotes = sums.upvotes + ${sign} * added.upvotes, ratings = sums.ratings + ${sign} * added.ratings,
      rating_sum = sums.rating_sum + ${sign} * added.rating_sum,
      last_hot = case when last_hot in (select story_id from changed) then null else last_hot end
    from (
      select count(*)::int as items, count(*) filter (where key > '-infinity')::int as scored,
        coalesce(sum(views), 0) as views, coalesce(sum(upvotes), 0) as upvotes,
        coalesce(sum(ratings), 0) as ratings, coalesce(sum(rating_sum), 0) as rating_sum
      from changed
    ) as added where sums.timeframe = ${timeframe}`
}

/** Updates the windows' mean ratings, and finds their last hot items. */
async function finishWindows(tx: Transaction): Promise<void> {
  const moved = await tx.execute<{ timeframe: Timeframe }>(sql`
    update trending_windows as followed set mean_rating = now.mean
    from (select timeframe, case when ratings > 0 then rating_sum::float8 / ratings else ${meanRatingDefault} end as mean from trending_windows) as now
    where now.timeframe = followed.timeframe and now.mean <> mean_rating
      and (items <= ${atOnceMax} or abs(now.mean - mean_rating) > ${meanRatingStep})
    returning followed.timeframe`)
  for (const { timeframe } of moved) await rateAgain(tx, timeframe)
  const due = await tx.execute<{ timeframe: Timeframe; hot: number }>(sql`
    select timeframe, ceil(scored * ${hotShare}::float8)::int as hot from trending_windows
    where items <= ${atOnceMax} or last_hot is null or as_of - last_hot_at >= make_interval(secs => ${hotSeconds})`)
  for (const { timeframe, hot } of due) await findHot(tx, timeframe, hot)
}

/**
 * Recomputes the columns that depend on the mean rating. For a large library this takes longer than the statement
 * timeout of a request.
 */
async function rateAgain(tx: Transaction, timeframe: Timeframe): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`
    with changed as (
      update trending_items set (bayesian_rating, quality, key) = (
        select rated.bayesian_rating, rated.quality, rated.key
        from ${rated(timeframe, sql`(select mean_rating from trending_windows where timeframe = ${timeframe})`)} as rated
      ) where timeframe = ${timeframe} returning key
    )
    update trending_windows set last_hot = null, scored = (select count(*) from changed where key > '-infinity')
    where timeframe = ${timeframe}`)
}

/** Stores the last hot item of a window, which is found by reading the best tenth from an index. */
async function findHot(tx: Transaction, timeframe: Timeframe, hot: number): Promise<void> {
  const best = placesOf({ timeframe, type: 'all', order: 'trending', limit: hot })
  await tx.execute(sql`
    update trending_windows set last_hot_at = as_of, last_hot = (select story_id from (${best}) as best where place = ${hot})
    where timeframe = ${timeframe}`)
}

function mapTimeframes<T>(of: (timeframe: Timeframe) => T): Record<Timeframe, T> {
  return { '24h': of('24h'), '7d': of('7d'), '30d': of('30d'), all: of('all') }
}
