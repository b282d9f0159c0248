import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { Item } from '#src/story/schema'
import { contentTypes, orders, timeframes } from './rules'

export const TimeframeQuery = t.Object({
  timeframe: t.Optional(oneOf(timeframes, { description: '7d without it.' })),
})
export const TrendingQuery = t.Object({
  ...TimeframeQuery.properties,
  type: t.Optional(oneOf(contentTypes)),
})
export const orderQuery = t.Optional(
  oneOf(orders, { description: 'Top Rated leaves out what nobody rated, and sorts by the Bayesian mean.' }),
)

/** An item with its votes, views and ratings. */
export const TrendingItem = t.Object({
  ...Item.properties,
  views: t.Integer({ description: 'In the timeframe.', examples: [5104] }),
  rating: t.Number({ description: 'The plain mean of the ratings; 0 where there is none.', examples: [4.8] }),
  totalRatings: t.Integer({ examples: [188] }),
  isHot: t.Boolean({ description: 'Among the best tenth of the timeframe.' }),
  isRising: t.Boolean({
    description: 'Twice the views of the earlier quarters in the last one, and at least 20.',
  }),
  score: t.Number({ description: 'What the order comes from.', examples: [2.41] }),
})
export type TrendingItem = t.Static<typeof TrendingItem>

export const TrendingStats = t.Object({
  totalViews: t.Integer({ examples: [48_210] }),
  totalUpvotes: t.Integer({ examples: [6_934] }),
  newContent: t.Integer({ examples: [17] }),
  activeCreators: t.Integer({ examples: [42] }),
})
export type TrendingStats = t.Static<typeof TrendingStats>

export const Creator = t.Object({
  name: t.String({ description: 'The first name.', examples: ['Mara'] }),
  items: t.Integer({ description: 'Shared with others.', examples: [3] }),
  views: t.Integer({ description: 'Of those, in the timeframe.', examples: [412] }),
  upvotes: t.Integer({ examples: [37] }),
})
export type Creator = t.Static<typeof Creator>
