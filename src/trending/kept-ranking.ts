import type { Database, Executor } from '#db/db'
import { every } from '#src/every'
import { keepForAWhile } from '#src/kept'
import type { Log } from '#src/log'
import { readActivity } from './activity'
import { type Ranked, rank, type Timeframe, timeframeHours, timeframes } from './rules'
import type { TrendingStats } from './schema'
import { countStats } from './stats'

export type Ranking = { items: Ranked[]; stats: TrendingStats }

/** How long a ranking is given as it is; after that, up to ten times as long, while a new one is made. */
const keptMs = 10_000
/** So old, a ranking that nobody asks for is made again: before it is too old to be given. */
const readyMs = 60_000
const lookSeconds = 10
/** Up to so many items a ranking takes a few milliseconds, so each vote is seen at once. */
const atOnceMax = 1_000

/** The ranking of a timeframe, made for everyone who asks and kept for some seconds. */
export function findRanking(db: Executor, timeframe: Timeframe): Promise<Ranking> {
  return keptOf(db).rankings(timeframe, () => makeAndMeasure(db, timeframe))
}

async function makeAndMeasure(db: Executor, timeframe: Timeframe): Promise<Ranking> {
  const ranking = await makeRanking(db, timeframe, new Date())
  keptOf(db).itemCounts.set(timeframe, ranking.items.length)
  return ranking
}

export async function makeRanking(db: Executor, timeframe: Timeframe, now: Date): Promise<Ranking> {
  const activity = await readActivity(db, timeframe, now)
  const items = rank(activity.items, activity.window, timeframeHours[timeframe])
  return { items, stats: await countStats(db, timeframe, activity, now) }
}

/** After a vote, a rating or a view. Of a large library the kept ranking stays until its time is over. */
export function trendingChanged(db: Executor): void {
  if (itemsMost(keptOf(db)) <= atOnceMax) forgetRankings(db)
}

/** After a change to the library: what was taken out must not be counted any longer. */
export function forgetRankings(db: Executor): void {
  keptOf(db).rankings = keepRankings()
}

/** Keeps the rankings of a large library ready while the program runs, so that nobody waits for one. */
export function startRanking(db: Database, log: Log): { stop(): Promise<void> } {
  const often = {
    seconds: lookSeconds,
    first: 'now',
    failure: 'the rankings could not be made ready',
    log,
  } as const
  return every(often, () => readyRankings(db))
}

/**
 * Makes the rankings that are missing or older than `ageMsMax`, one after another. All Time comes first: no other
 * has more items, and where it has few, none is made, now or later, until somebody's asking finds more.
 */
export async function readyRankings(db: Executor, ageMsMax = readyMs): Promise<void> {
  const kept = keptOf(db)
  for (const timeframe of timeframes.toReversed()) {
    if (kept.itemCounts.size > 0 && itemsMost(kept) <= atOnceMax) return
    await kept.rankings.keepReady(timeframe, ageMsMax, () => makeAndMeasure(db, timeframe))
  }
}

type Kept = {
  rankings: ReturnType<typeof keepRankings>
  /** How many items the last ranking of a timeframe had. */
  itemCounts: Map<Timeframe, number>
}
const keptByDatabase = new WeakMap<object, Kept>()

function keptOf(db: Executor): Kept {
  const kept = keptByDatabase.get(db) ?? { rankings: keepRankings(), itemCounts: new Map() }
  keptByDatabase.set(db, kept)
  return kept
}

function keepRankings() {
  return keepForAWhile<Ranking>(keptMs, timeframes.length)
}

function itemsMost({ itemCounts }: Kept): number {
  return Math.max(0, ...itemCounts.values())
}
