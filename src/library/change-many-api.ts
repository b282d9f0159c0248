import * as t from 'typebox'
import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { requireKnownFilter } from '#src/shape/require-known'
import { changeMany, undoMany } from './change-many'
import { changedAtOnceMax } from './change-many-rules'
import { LibraryQuery, ManyItems, ManyOutcome } from './change-many-schema'
import { planMany } from './plan-many'

/** API calls that plan, make and undo a change of many items of the library. */
export function changeManyApi({ db }: Services) {
  return router()
    .patch(
      '/api/premium-content',
      async ({ body, query, caller }) =>
        query.dryRun === 'true' ? planMany(db, body) : changeMany(db, body, operatorNameOf(caller)),
      {
        body: ManyItems,
        transform: ({ body }) => requireKnownFilter(body, Object.keys(LibraryQuery)),
        query: t.Object({ dryRun: t.Optional(oneOf(['true', 'false'])) }),
        response: ManyOutcome,
        ...about(
          'premium',
          'Publish, unpublish, remove or restore many items',
          `Exactly one of \`ids\` and \`filter\`, at most ${changedAtOnceMax} items. \`dryRun=true\` answers the plan and changes nothing. Held items are not published: decide on them in the queue. Restored items go back to where they were, or are held if the guidelines now forbid them.`,
        ),
      },
    )
    .post(
      '/api/premium-content/changes/:id/undo',
      async ({ params, caller }) => undoMany(db, params.id, operatorNameOf(caller)),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: ManyOutcome,
        ...about('premium', 'Undo a change of many items', 'Anything changed since stays as it is.', {
          409: 'Nothing is left to undo',
        }),
      },
    )
}
