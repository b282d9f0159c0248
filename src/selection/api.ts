import * as t from 'typebox'
import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { requireKnownFilter } from '#src/shape/require-known'
import { changeRows, planRows, undoChange } from './change-many'
import { filterOf, selectedAtOnceMax } from './rules'
import { ManyRows, RowsOutcome } from './schema'

/** API calls that plan, make and undo a change of many rows of a console list. */
export function selectionApi(services: Services) {
  return router()
    .post(
      '/api/changes',
      async ({ body, query, caller }) =>
        query.dryRun === 'true'
          ? planRows(services.db, body)
          : changeRows(services, body, operatorNameOf(caller)),
      {
        body: ManyRows,
        transform: ({ body }) => requireKnownFilter(body, filterOf(body?.kind)),
        query: t.Object({ dryRun: t.Optional(oneOf(['true', 'false'])) }),
        response: RowsOutcome,
        ...about(
          'audit',
          'Change many reports, members, comments or jobs',
          `Exactly one of \`ids\` and \`filter\`, at most ${selectedAtOnceMax} rows. \`dryRun=true\` answers the plan and changes nothing.`,
        ),
      },
    )
    .post(
      '/api/changes/:id/undo',
      async ({ params, caller }) => undoChange(services, params.id, operatorNameOf(caller)),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: RowsOutcome,
        ...about(
          'audit',
          'Undo a change of many',
          'Of the library too. Anything changed since stays as it is.',
          { 409: 'Nothing is left to undo' },
        ),
      },
    )
}
