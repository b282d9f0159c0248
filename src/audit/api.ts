import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { csvAnswer, streamCsv } from '#src/http/csv-answer'
import { wholeNumber } from '#src/http/query'
import { pageHeaders } from '#src/request/page-headers'
import { about, fileAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { cutPage, shownCount } from '#src/shape/list-page'
import { exportChanges } from './export'
import {
  changedItemsMax,
  changesLimitMax,
  countChanges,
  findChange,
  listChangedItems,
  listChanges,
} from './list-changes'
import { sentenceOf } from './rules'
import { AuditChange, AuditItem, AuditQuery } from './schema'

/** API calls of operators for the audit log. */
export function auditApi({ db }: Services) {
  return router()
    .get(
      '/api/audit',
      async ({ query, set, context }) => {
        const { limit = 50, cursor, ...filter } = query
        const [rows, counted] = await Promise.all([
          listChanges(db, { ...filter, limit: limit + 1, before: cursor }),
          countChanges(db, filter),
        ])
        const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
        Object.assign(set.headers, pageHeaders(context, { ...shownCount(counted), nextCursor }))
        return page.map((row) => ({ ...row, sentence: sentenceOf(row), at: row.at.toISOString() }))
      },
      {
        query: t.Object({
          ...AuditQuery,
          limit: t.Optional(wholeNumber('limit', 1, changesLimitMax)),
          cursor: t.Optional(
            t.String({ maxLength: 64, description: 'The id of the last change of the page before.' }),
          ),
        }),
        response: t.Array(AuditChange),
        ...about('audit', 'Read the audit log, the newest first'),
      },
    )
    .get(
      '/api/audit/export',
      async ({ query }) =>
        csvAnswer(
          `audit-${new Date().toISOString().slice(0, 10)}.csv`,
          await streamCsv(exportChanges(db, query)),
        ),
      {
        query: t.Object(AuditQuery),
        detail: {
          ...about('audit', 'Export the audit log').detail,
          description: 'A CSV with a sentence for each change, the newest first.',
          responses: { 200: fileAnswer('A sheet, sent as it is read', 'text/csv') },
        },
      },
    )
    .get(
      '/api/audit/:id/items',
      async ({ params, query, set, context }) => {
        const { limit = changedItemsMax, cursor } = query
        const change = await findChange(db, params.id)
        if (!change) throw new AppError('not_found', 'There is no such change.')
        const rows = await listChangedItems(db, change.id, { limit: limit + 1, after: cursor })
        const { page, nextCursor } = cutPage(rows, limit, ({ place }) => place)
        Object.assign(set.headers, pageHeaders(context, { count: change.items, nextCursor }))
        return page.map(({ place, ...item }) => item)
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        query: t.Object({
          limit: t.Optional(wholeNumber('limit', 1, changedItemsMax)),
          cursor: t.Optional(wholeNumber('cursor', 0, 2 ** 31 - 1)),
        }),
        response: t.Array(AuditItem),
        ...about('audit', 'Read which items a change was about', 'Of an import and of its undo: every item.'),
      },
    )
}
