import * as t from 'typebox'
import { wholeNumber } from '#src/http/query'
import { operatorNameOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { decideReport } from './decide'
import { reportItem } from './report'
import { listReports } from './reports'
import { reportStates, reportsLimitMax, reportThanks, reportTypes } from './rules'
import { ContentFlag, Decision, Report } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** API calls that report an item, and those with which operators decide on reports. */
export function moderationApi(services: Services) {
  const { db } = services
  return router()
    .post(
      '/api/stories/:id/flags',
      async ({ params: { id }, body, caller, status }) => {
        const reporter = { memberId: caller.member?.id ?? null, addressHash: caller.addressHash }
        const { flagType, flagReason, createdAt, ...report } = await reportItem(db, id, body, reporter)
        return status(201, {
          id: report.id,
          flagType,
          flagReason,
          createdAt: createdAt.toISOString(),
          message: reportThanks,
        })
      },
      {
        params,
        body: Report,
        response: {
          201: t.Object({
            id: t.String(),
            flagType: oneOf(reportTypes),
            flagReason: t.String(),
            createdAt: t.String(),
            message: t.String(),
          }),
        },
        ...about(
          'moderation',
          'Report an item',
          'Visitors may report too. Members, and visitors who leave an email, are told the decision.',
          { 404: 'There is no such item for this caller' },
        ),
      },
    )
    .get(
      '/api/content-flags',
      async ({ query, set, context }) => {
        const { reports, ...page } = await listReports(db, query)
        Object.assign(set.headers, pageHeaders(context, page))
        return reports
      },
      {
        query: t.Object({
          state: t.Optional(
            oneOf(reportStates, { description: 'Without it, those waiting for a decision.' }),
          ),
          limit: t.Optional(wholeNumber('limit', 1, reportsLimitMax)),
          cursor: t.Optional(
            t.String({ maxLength: 64, description: 'The id of the last report of the page before.' }),
          ),
        }),
        response: t.Array(ContentFlag),
        ...about('moderation', 'List the reports, the newest first'),
      },
    )
    .patch(
      '/api/content-flags/:id',
      async ({ params: { id }, body, caller }) => decideReport(services, id, body, operatorNameOf(caller)),
      {
        params,
        body: Decision,
        response: ContentFlag,
        ...about(
          'moderation',
          'Review, approve or remove a reported item',
          'Removed items leave every list, page and search at once and keep their rows; approving one restores it. Maker and reporters are told the reasons.',
          { 409: 'Already decided, or the removed item’s title is in the library again' },
        ),
      },
    )
}
