import * as t from 'typebox'
import { memberOf, signedInOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { FeedAddresses, FeedState } from './schema'
import { endFeeds, findFeeds, makeFeeds } from './token'

/** API calls that create, read and revoke a member's private feeds. */
export function feedApi(services: Services) {
  const { db } = services
  return router()
    .get('/api/user/feeds', async ({ caller }) => findFeeds(db, memberOf(caller).id), {
      response: FeedState,
      ...about('feeds', 'Whether I have private feeds'),
    })
    .post(
      '/api/user/feeds',
      async ({ caller, status }) => status(201, await makeFeeds(services, signedInOf(caller))),
      {
        response: { 201: FeedAddresses },
        ...about(
          'feeds',
          'Make my private feeds',
          'A podcast (RSS) and a catalogue (OPDS 2) of what I may hear. Anyone with the addresses can listen, so they are shown once; making new ones ends the old ones.',
        ),
      },
    )
    .delete(
      '/api/user/feeds',
      async ({ caller }) => {
        await endFeeds(db, memberOf(caller).id)
        return { success: true }
      },
      { response: t.Object({ success: t.Boolean() }), ...about('feeds', 'End my private feeds') },
    )
}
