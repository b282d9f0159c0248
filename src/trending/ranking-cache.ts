import type { Database, Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { staleWhileRevalidate } from '#src/process/cache'
import type { Log } from '#src/process/log'
import { runEvery } from '#src/process/run-every'
import { readActivity } from './activity'
import { type Ranked, rank, type Timeframe, timeframeHours, timeframes } from './rules'
import type { TrendingStats } from './schema'
import { countStats } from './stats'

export type Ranking = { items: Ranked[]; stats: TrendingStats }

/** How long a ranking is fresh; after that it is served up to ten times as long, while a new one is computed. */
const freshMs = 10_000
/** At this age a ranking without requests is computed again: before it is too old to be served. */
const readyMs = 60_000
const lookSeconds = 10
/** Up to so many items a ranking takes a few milliseconds, so each vote is visible at once. */
const atOnceMax = 1_000

/** The ranking of a timeframe, cached for all for some seconds. */
export function findRanking(db: Executor, timeframe: Timeframe): Promise<Ranking> {
  return cacheOf(db).rankings(timeframe, () => makeAndMeasure(db, timeframe))
}

async function makeAndMeasure(db: Executor, timeframe: Timeframe): Promise<Ranking> {
  const make = (from: Executor) => makeRanking(from, timeframe, new Date())
  // A small one has each vote at once, so it is not read where votes come late.
  const ranking =
    itemsMost(cacheOf(db)) <= atOnceMax ? await make(db) : await fromReplica(db, 'rankings', make)
  cacheOf(db).itemCounts.set(timeframe, ranking.items.length)
  return ranking
}

async function makeRanking(db: Executor, timeframe: Timeframe, now: Date): Promise<Ranking> {
  const activity = await readActivity(db, timeframe, now)
  const items = rank(activity.items, activity.window, timeframeHours[timeframe])
  return { items, stats: await countStats(db, timeframe, activity, now) }
}

/**
 * Clears the rankings after a vote, a rating or a view. Of a large library the cached ranking stays until it expires.
 */
export function trendingChanged(db: Executor): void {
  if (itemsMost(cacheOf(db)) <= atOnceMax) forgetRankings(db)
}

/** After a change to the library: removed items must not be counted any longer. */
export function forgetRankings(db: Executor): void {
  cacheOf(db).rankings = cacheRankings()
}

/** Precomputes the rankings of a large library while the program runs, so that no request waits for one. */
export function startRanking(db: Database, log: Log): { stop(): Promise<void> } {
  const often = {
    seconds: lookSeconds,
    first: 'now',
    failure: 'the rankings could not be made ready',
    log,
  } as const
  return runEvery(often, () => readyRankings(db))
}

/**
 * Computes the rankings that are missing or older than `ageMsMax`, one after another. All Time comes first: no other
 * has more items, and where it has few, none is computed, now or later, until a request finds more.
 */
export async function readyRankings(db: Executor, ageMsMax = readyMs): Promise<void> {
  const cache = cacheOf(db)
  for (const timeframe of timeframes.toReversed()) {
    if (cache.itemCounts.size > 0 && itemsMost(cache) <= atOnceMax) return
    await cache.rankings.preload(timeframe, ageMsMax, () => makeAndMeasure(db, timeframe))
  }
}

type RankingCache = {
  rankings: ReturnType<typeof cacheRankings>
  /** How many items the last ranking of a timeframe had. */
  itemCounts: Map<Timeframe, number>
}
const cacheByDatabase = new WeakMap<object, RankingCache>()

function cacheOf(db: Executor): RankingCache {
  const cache = cacheByDatabase.get(db) ?? { rankings: cacheRankings(), itemCounts: new Map() }
  cacheByDatabase.set(db, cache)
  return cache
}

function cacheRankings() {
  return staleWhileRevalidate<Ranking>({ freshMs, entriesMax: timeframes.length })
}

function itemsMost({ itemCounts }: RankingCache): number {
  return Math.max(0, ...itemCounts.values())
}
