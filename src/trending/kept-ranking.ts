import type { Executor } from '#db/db'
import { keepForAWhile } from '#src/kept'
import { readActivity } from './activity'
import { type Ranked, rank, type Timeframe, timeframeHours, timeframes } from './rules'
import type { TrendingStats } from './schema'
import { countStats } from './stats'

export type Ranking = { items: Ranked[]; stats: TrendingStats }

/** How long a ranking is given as it is; after that, while a new one is made. */
const keptMs = 10_000
/** Up to so many items a ranking takes a few milliseconds, so each vote is seen at once. */
const atOnceMax = 1_000

/** The ranking of a timeframe, made for everyone who asks and kept for some seconds. */
export function findRanking(db: Executor, timeframe: Timeframe): Promise<Ranking> {
  const kept = keptOf(db)
  return kept.rankings(timeframe, async () => {
    const ranking = await makeRanking(db, timeframe, new Date())
    kept.itemsMost = Math.max(kept.itemsMost, ranking.items.length)
    return ranking
  })
}

export async function makeRanking(db: Executor, timeframe: Timeframe, now: Date): Promise<Ranking> {
  const activity = await readActivity(db, timeframe, now)
  const items = rank(activity.items, activity.window, timeframeHours[timeframe])
  return { items, stats: await countStats(db, timeframe, activity, now) }
}

/** After a vote, a rating or a view. Of a large library the kept ranking stays until its time is over. */
export function trendingChanged(db: Executor): void {
  const kept = keptByDatabase.get(db)
  if (kept && kept.itemsMost <= atOnceMax) keptByDatabase.delete(db)
}

/** After a change to the library: what was taken out must not be counted any longer. */
export function forgetRankings(db: Executor): void {
  keptByDatabase.delete(db)
}

type Kept = { rankings: ReturnType<typeof keepForAWhile<Ranking>>; itemsMost: number }
const keptByDatabase = new WeakMap<object, Kept>()

function keptOf(db: Executor): Kept {
  const kept = keptByDatabase.get(db) ?? {
    rankings: keepForAWhile<Ranking>(keptMs, timeframes.length),
    itemsMost: 0,
  }
  keptByDatabase.set(db, kept)
  return kept
}
