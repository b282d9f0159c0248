import * as t from 'typebox'
import { wholeNumber } from '#src/http/query'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { pick } from '#src/shape/pick'
import { onLibraryChange } from '#src/story/library-changed'
import { listLimitMax } from '#src/story/rules'
import { findVotes } from '#src/vote/queries'
import { listTopCreators } from './creators'
import { listTrending } from './list'
import { forgetRankings } from './ranking-cache'
import { timeframeDefault } from './rules'
import { Creator, orderQuery, TimeframeQuery, TrendingItem, TrendingQuery, TrendingStats } from './schema'
import { findStats } from './stats'

/** API calls of Trending: items, figures, creators. */
export function trendingApi({ db }: Services) {
  onLibraryChange(db, () => forgetRankings(db))
  return router()
    .get(
      '/api/content/trending',
      async ({
        query: { timeframe = timeframeDefault, type = 'all', order = 'trending', limit },
        caller,
      }) => {
        const { neverShown } = caller
        const items = await listTrending(db, { timeframe, type, order, limit, neverShown })
        const ids = items.map(({ id }) => id)
        const votes = await findVotes(db, null, ids)
        return items.map((item) => ({
          ...item,
          ...pick(votes.get(item.id) ?? item, ['upvotes', 'downvotes']),
        }))
      },
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
          'Votes (Wilson lower bound) and ratings (Bayesian mean) times the logarithm of the views in the timeframe. Every half of the timeframe halves the score.',
        ),
      },
    )
    .get(
      '/api/stats/trending',
      async ({ query: { timeframe = timeframeDefault } }) => findStats(db, timeframe),
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
