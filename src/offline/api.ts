import { memberOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { listAllowed } from './list-allowed'
import { AllowedItems, OfflineItems } from './schema'

/** API call that says which items a browser may save offline. */
export function offlineApi({ db }: Services) {
  return router().post(
    '/api/user/offline',
    async ({ body, caller }) => {
      const allowed = await listAllowed(db, memberOf(caller).id, body.ids)
      return {
        allowed: allowed.map(({ id }) => id),
        versions: Object.fromEntries(allowed.map(({ id, version }) => [id, version])),
        hasPin: caller.hasPin,
      }
    },
    {
      body: OfflineItems,
      response: AllowedItems,
      ...about(
        'settings',
        'Ask what may stay saved offline',
        'A browser asks about the items that it has saved: what is not in the answer was removed, or is no longer for this member, and what has another version was changed.',
      ),
    },
  )
}
