import * as t from 'typebox'
import { removalDays } from '#db/changes'
import { wholeNumber } from '#src/http/query'
import { memberOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { readSince, SinceQuery } from '#src/shape/changes'
import { UserContentItem } from '#src/user-story/schema'
import { countUserContent, listUserContent, userContentMax } from './queries'

/** API call that lists a member's own items, favourites and challenge flows together. */
export function myContentApi({ db }: Services) {
  return router().get(
    '/api/user/content',
    async ({ caller, query, set, context }) => {
      const { id } = memberOf(caller)
      const { neverShown } = caller
      const since = readSince(query, removalDays)?.since
      const [{ items, nextCursor }, count] = await Promise.all([
        listUserContent(db, id, { ...query, since, neverShown }),
        since ? undefined : countUserContent(db, id, neverShown),
      ])
      Object.assign(set.headers, pageHeaders(context, { count, nextCursor }))
      return items
    },
    {
      query: t.Object({
        limit: t.Optional(wholeNumber('limit', 1, userContentMax)),
        cursor: t.Optional(t.String({ maxLength: 200 })),
        ...SinceQuery,
      }),
      response: t.Array(UserContentItem),
      ...about(
        'favorites',
        'List my content',
        'Own items, saved ones and the flows of my challenges, the newest first. With `updatedSince` only what came or changed since then, the longest ago first; what has left it is not among them.',
      ),
    },
  )
}
