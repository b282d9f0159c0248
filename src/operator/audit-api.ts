import * as t from 'typebox'
import { wholeNumber } from '#src/http/query'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { withQuery } from '#src/urls'
import { changesLimitMax, listChanges } from './list-changes'

const state = t.Unknown({ description: 'Null where there was nothing.', examples: [{ duration: 15 }] })

/** Who changed what, for operators. */
export function auditApi({ db, env }: Parts) {
  return router().get(
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
        }),
      ),
      ...about('audit', 'Read the audit log, the newest first'),
    },
  )
}
