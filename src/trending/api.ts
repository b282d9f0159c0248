import * as t from 'typebox'
import { wholeNumber } from '#src/http/query'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { onLibraryChange } from '#src/story/library-changed'
import { listLimitMax } from '#src/story/rules'
import { listTopCreators } from './creators'
import { findRanking, forgetRankings } from './kept-ranking'
import { listTrending } from './list'
import { timeframeDefault } from './rules'
import { Creator, orderQuery, TimeframeQuery, TrendingItem, TrendingQuery, TrendingStats } from './schema'

/** What is loved (visitor.md §7). */
export function trendingApi({ db }: Parts) {
  onLibraryChange(db, () => forgetRankings(db))
  return router()
    .get(
      '/api/content/trending',
      async ({ query: { timeframe = timeframeDefault, type = 'all', order = 'trending', limit }, caller }) =>
        listTrending(db, { timeframe, type, order, limit, neverShown: caller.neverShown }),
      {
        query: t.Object({
          ...TrendingQuery.properties,
          order: orderQuery,
          limit: t.Optional(wholeNumber('limit', 1, listLimitMax)),
        }),
        response: t.Array(TrendingItem),
        ...about(
          'trending',
          'What is trending',
          'Votes (Wilson lower bound) and ratings (Bayesian mean) times the logarithm of the views in the timeframe, halved in half of it.',
        ),
      },
    )
    .get(
      '/api/stats/trending',
      async ({ query: { timeframe = timeframeDefault } }) => (await findRanking(db, timeframe)).stats,
      {
        query: TimeframeQuery,
        response: TrendingStats,
        ...about('trending', 'The figures of a timeframe'),
      },
    )
    .get(
      '/api/creators/top',
      async ({ query: { timeframe = timeframeDefault } }) => listTopCreators(db, timeframe, new Date()),
      {
        query: TimeframeQuery,
        response: t.Array(Creator),
        ...about('trending', 'The members whose shared items are liked most'),
      },
    )
}
