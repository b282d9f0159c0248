import * as t from 'typebox'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { csvAnswer } from '#src/http/csv-answer'
import { wholeNumber } from '#src/http/query'
import { about, fileAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { exportFigure } from './export'
import { refreshRollups } from './fresh'
import { describeConversion, describeRetention, listSearches } from './insight'
import { readSpan } from './read-span'
import { exportedFigures, startDaysMax } from './rules'

const days = t.Optional(wholeNumber('days', 1, 365))

/**
 * Routes of figures that help to decide what to create next: searches without a result, where people stop, and the
 * conversion by the free stories.
 */
export function insightApi(services: Services) {
  const { db } = services
  function read<T>(figures: (from: Executor) => Promise<T>): Promise<T> {
    return fromReplica(db, 'dashboards', figures)
  }
  return router()
    .get(
      '/api/analytics/searches',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => listSearches(from, readSpan(query).days))
      },
      {
        query: t.Object({ days }),
        response: t.Array(t.Object({ query: t.String(), searches: t.Integer(), withoutResult: t.Integer() })),
        ...about('analytics', 'What is searched for, and not found'),
      },
    )
    .get(
      '/api/analytics/retention/:contentId',
      async ({ params, query }) => {
        await refreshRollups(db)
        return read((from) => describeRetention(from, params.contentId, readSpan(query).days))
      },
      {
        params: t.Object({ contentId: t.String({ maxLength: 64 }) }),
        query: t.Object({ days }),
        response: t.Object({
          contentId: t.String(),
          contentTitle: t.String(),
          views: t.Integer(),
          bounceRate: t.Number({ description: 'Percent of the views.' }),
          curve: t.Array(
            t.Object({
              percent: t.Integer(),
              second: t.Integer({ description: 'Where that is, from the beginning.' }),
              count: t.Integer(),
            }),
          ),
          startPages: t.Array(t.Object({ page: t.String(), starts: t.Integer() }), {
            description: `Where Play was pressed, in the last ${startDaysMax} days at most.`,
          }),
        }),
        ...about('analytics', 'Where listeners and readers of an item stop', undefined, {
          404: 'There is no such item',
        }),
      },
    )
    .get(
      '/api/analytics/export',
      async ({ query: { figure = 'searches', item = '', ...span } }) => {
        await refreshRollups(db)
        const request = {
          figure,
          item,
          days: readSpan(span).days,
          freeStoryLimit: await findFreeStoryLimit(services),
        }
        return read(async (from) => csvAnswer(`${figure}.csv`, await exportFigure(from, request)))
      },
      {
        query: t.Object({
          figure: t.Optional(oneOf(exportedFigures)),
          days,
          item: t.Optional(
            t.String({ maxLength: 64, description: 'The id of the item, for retention and starts.' }),
          ),
        }),
        detail: {
          ...about('analytics', 'Export a figure', undefined, { 404: 'There is no such item' }).detail,
          responses: { 200: fileAnswer('A sheet', 'text/csv') },
        },
      },
    )
    .get(
      '/api/analytics/conversion',
      async () => {
        const limit = await findFreeStoryLimit(services)
        return read((from) => describeConversion(from, limit))
      },
      {
        response: t.Object({
          days: t.Integer(),
          freeStoryLimit: t.Integer(),
          atLimit: t.Integer({ description: 'Visitors who used up their free stories.' }),
          joined: t.Integer(),
          joinedAtLimit: t.Integer({
            description: 'Of those who joined: who had read up to the limit before.',
          }),
        }),
        ...about('analytics', 'How many visitors at the free-reading limit join'),
      },
    )
}
