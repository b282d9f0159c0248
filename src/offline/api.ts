import { memberOf } from '#src/http/caller'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { listAllowed } from './list-allowed'
import { AllowedItems, KeptItems } from './schema'

/** What a browser may keep for those without a network. */
export function offlineApi({ db }: Parts) {
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
      body: KeptItems,
      response: AllowedItems,
      ...about(
        'settings',
        'Ask what may be kept offline',
        'A browser asks about the items that it keeps: what is not in the answer was removed, or is no longer for this member, and what has another version was changed.',
      ),
    },
  )
}
