import * as t from 'typebox'
import { orListError, type Page, renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { ContentError } from '#src/ui/error-state'
import { urls } from '#src/urls'
import { findVotes } from '#src/vote/queries'
import { listTrending } from './list'
import { timeframeDefault } from './rules'
import { orderQuery, TrendingQuery } from './schema'
import { findStats } from './stats'
import { drawTrending } from './trending-page'

const trendingAway: Page = {
  section: 'trending',
  meta: { title: 'Trending Now', isIndexed: false },
  body: <ContentError />,
}

/** The route /trending. Its filters and tabs are links and a form, so it works without scripts. */
export function trendingPages(services: Services) {
  const { db, env, assets } = services
  return router().get(
    '/trending',
    ({ query: { timeframe = timeframeDefault, type = 'all', order = 'trending' }, context }) =>
      orListError(context, trendingAway, async () => {
        const [items, stats] = await Promise.all([
          listTrending(db, { timeframe, type, order, neverShown: context.caller.neverShown }),
          findStats(db, timeframe),
        ])
        const { member } = context.caller
        const votes = await findVotes(
          db,
          member?.id ?? null,
          items.map(({ id }) => id),
        )
        return renderPage(context, {
          section: 'trending',
          meta: {
            title: 'Trending Now',
            description: `What is loved on ${env.siteName}: stories and flows by votes, ratings and views.`,
            canonicalUrl: env.publicUrl + urls.trending(),
          },
          body: drawTrending(assets.manifest, {
            ...{ timeframe, type, order, items, stats, votes },
            isMember: member !== null,
          }),
        })
      }),
    { query: t.Object({ ...TrendingQuery.properties, order: orderQuery }), detail: { hide: true } },
  )
}
