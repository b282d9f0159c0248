import { perDatabase } from '#db/per-database'
import { staleWhileRevalidate } from '#src/process/cache'
import { timeframes } from './rules'
import type { TrendingItem, TrendingStats } from './schema'

/** As often as a large library is ranked. */
const freshMs = 10_000

/** The caches of the rankings of a large library; a small one has each vote at once. */
export const rankingCachesOf = perDatabase(() => ({
  // All Time counts each item of the library.
  stats: staleWhileRevalidate<TrendingStats>({ freshMs, entriesMax: timeframes.length }),
  // More than there are timeframes, types and orders.
  items: staleWhileRevalidate<readonly TrendingItem[]>({ freshMs, entriesMax: 50 }),
}))

/** After a change to the library: removed items must be neither shown nor counted any longer. */
export const forgetRankings = rankingCachesOf.forget
