import * as t from 'typebox'
import { operatorNameOf } from '#src/request/caller'
import { listChanged } from '#src/request/list-changed'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { SinceQuery } from '#src/shape/changes'
import { changeFlags, listFlags } from './change'
import { FlagChanges, ListedFlag } from './schema'

/** API calls for feature flags, which operators change while the program runs. */
export function flagApi(services: Services) {
  return router()
    .get('/api/feature-flags', async ({ query }) => listChanged(query, () => listFlags(services)), {
      query: t.Object(SinceQuery),
      response: t.Array(ListedFlag),
      ...about('flags', 'List the feature flags', 'What holds now, the default, and who changed it last.'),
    })
    .patch(
      '/api/feature-flags',
      async ({ body, caller }) => changeFlags(services, body, operatorNameOf(caller)),
      {
        body: FlagChanges,
        response: t.Array(ListedFlag),
        ...about(
          'flags',
          'Change feature flags',
          'What you leave out stays; null brings the default back. Every instance follows within seconds, without a restart.',
        ),
      },
    )
}
