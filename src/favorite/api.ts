import * as t from 'typebox'
import { removalDays } from '#db/changes'
import { wholeNumber } from '#src/http/query'
import { memberOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { readSince, SinceQuery } from '#src/shape/changes'
import { UserContentItem } from '#src/user-story/schema'
import { addFavorite, listFavorites, removeFavorite } from './favorites'
import { countUserContent, listUserContent, userContentMax } from './user-content'

const contentKey = t.String({
  minLength: 1,
  maxLength: 200,
  examples: ['pre_uploaded:story:019c0000-0000-7000-8000-000000000000'],
})
const Favorite = t.Object({ contentKey })

/** A member's favourites. Ownership is part of every query. */
export function favoriteApi({ db }: Services) {
  return router()
    .get(
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
    .get(
      '/api/content-favorites',
      async ({ caller }) =>
        (await listFavorites(db, memberOf(caller).id, caller.neverShown)).map(
          ({ contentKey, createdAt }) => ({
            contentKey,
            createdAt: createdAt.toISOString(),
          }),
        ),
      {
        response: t.Array(t.Object({ contentKey, createdAt: t.String() })),
        ...about('favorites', 'List my favourites'),
      },
    )
    .post(
      '/api/content-favorites',
      async ({ caller, body }) => {
        await addFavorite(db, memberOf(caller).id, body.contentKey)
        return { contentKey: body.contentKey }
      },
      {
        body: Favorite,
        response: Favorite,
        ...about('favorites', 'Add a favourite', 'Adding it twice changes nothing.', {
          404: 'There is no such item',
        }),
      },
    )
    .delete(
      '/api/content-favorites/:contentKey',
      async ({ caller, params }) => {
        const key = params.contentKey
        await removeFavorite(db, memberOf(caller).id, key)
        return { success: true, contentKey: key }
      },
      {
        params: Favorite,
        response: t.Object({ success: t.Boolean(), contentKey }),
        ...about('favorites', 'Remove a favourite', 'Removing what is not there changes nothing.'),
      },
    )
}
