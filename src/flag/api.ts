import * as t from 'typebox'
import { operatorNameOf } from '#src/http/caller'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { changeFlags, listFlags } from './change'
import { FlagChanges, ListedFlag } from './schema'

/** What operators switch while the program runs. */
export function flagApi(parts: Parts) {
  return router()
    .get('/api/feature-flags', async () => listFlags(parts), {
      response: t.Array(ListedFlag),
      ...about('flags', 'List the feature flags', 'What holds now, the default, and who changed it last.'),
    })
    .patch(
      '/api/feature-flags',
      async ({ body, caller }) => changeFlags(parts, body, operatorNameOf(caller)),
      {
        body: FlagChanges,
        response: t.Array(ListedFlag),
        ...about(
          'flags',
          'Change feature flags',
          'What is left out stays; null brings the default back. Every instance follows within seconds, without a restart.',
        ),
      },
    )
}
