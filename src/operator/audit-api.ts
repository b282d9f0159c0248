import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { urls, withQuery } from '#src/urls'
import { changedItemsMax, changesLimitMax, findChange, listChangedItems, listChanges } from './list-changes'

const state = t.Unknown({ description: 'Null where there was nothing.', examples: [{ duration: 15 }] })

/** The audit log, for operators. */
export function auditApi({ db, env }: Services) {
  return router()
    .get(
      '/api/audit',
      async ({ query, set }) => {
        const { limit = 50, cursor, actor } = query
        const rows = await listChanges(db, { limit: limit + 1, before: cursor, actor })
        const page = rows.slice(0, limit)
        const last = page.at(-1)
        if (last && rows.length > limit)
          set.headers.link = `<${env.publicUrl}${withQuery('/api/audit', { ...query, cursor: last.id })}>; rel="next"`
        return page.map((row) => ({ ...row, at: row.at.toISOString() }))
      },
      {
        query: t.Object({
          limit: t.Optional(wholeNumber('limit', 1, changesLimitMax)),
          cursor: t.Optional(
            t.String({ maxLength: 64, description: 'The id of the last change of the page before.' }),
          ),
          actor: t.Optional(t.String({ maxLength: 200, description: 'Only what this operator changed.' })),
        }),
        response: t.Array(
          t.Object({
            id: t.String(),
            at: t.String({ examples: ['2026-11-20T20:15:00.000Z'] }),
            actor: t.String({ examples: ['Ada'] }),
            action: t.String({ examples: ['edit'] }),
            subjectType: t.String({ examples: ['item'] }),
            subjectId: t.Union([t.String(), t.Null()]),
            before: state,
            after: state,
            items: t.Integer({
              description: 'How many items it names, of a change to many.',
              examples: [0],
            }),
          }),
        ),
        ...about('audit', 'Read the audit log, the newest first'),
      },
    )
    .get(
      '/api/audit/:id/items',
      async ({ params, query, set }) => {
        const { limit = changedItemsMax, cursor } = query
        const change = await findChange(db, params.id)
        if (!change) throw new AppError('not_found', 'There is no such change.')
        const rows = await listChangedItems(db, change.id, { limit: limit + 1, after: cursor })
        const page = rows.slice(0, limit)
        const last = page.at(-1)
        set.headers['x-total-count'] = String(change.items)
        if (last && rows.length > limit)
          set.headers.link = `<${env.publicUrl}${withQuery(urls.apiAuditItems(change.id), { ...query, cursor: last.place })}>; rel="next"`
        return page.map(({ place, ...item }) => item)
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        query: t.Object({
          limit: t.Optional(wholeNumber('limit', 1, changedItemsMax)),
          cursor: t.Optional(wholeNumber('cursor', 0, 2 ** 31 - 1)),
        }),
        response: t.Array(
          t.Object({
            id: t.String(),
            title: t.String(),
            verdict: t.String({ examples: ['keep'] }),
            fields: t.Array(t.String(), {
              description: 'What an import wrote of it, or what was edited since.',
              examples: [['content']],
            }),
          }),
        ),
        ...about('audit', 'Read which items a change was about', 'Of an import and of its undo: every item.'),
      },
    )
}
