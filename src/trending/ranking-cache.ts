import { perDatabase } from '#db/per-database'
import { staleWhileRevalidate } from '#src/process/cache'
import { timeframes } from './rules'
import type { TrendingItem, TrendingStats } from './schema'

/** The interval at which a large library is ranked. */
const freshMs = 10_000

/** The caches of the rankings of a large library. A small one shows each vote at once, without a cache. */
export const rankingCachesOf = perDatabase(() => ({
  // The figures of All Time count every item of the library, which is slow.
  stats: staleWhileRevalidate<TrendingStats>({ freshMs, entriesMax: timeframes.length }),
  // More than the combinations of timeframe, type and order.
  items: staleWhileRevalidate<readonly TrendingItem[]>({ freshMs, entriesMax: 50 }),
}))

/** Clears the caches after a change to the library, so that removed items are neither shown nor counted. */
export const forgetRankings = rankingCachesOf.forget
