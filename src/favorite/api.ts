import * as t from 'typebox'
import { memberOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { addFavorite, listFavorites, removeFavorite } from './favorites'

const contentKey = t.String({
  minLength: 1,
  maxLength: 200,
  examples: ['pre_uploaded:story:019c0000-0000-7000-8000-000000000000'],
})
const Favorite = t.Object({ contentKey })

/** API calls for a member's favourites. Ownership is part of every query. */
export function favoriteApi({ db }: Services) {
  return router()
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
