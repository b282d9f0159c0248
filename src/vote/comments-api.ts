import * as t from 'typebox'
import { wholeNumber } from '#src/http/query'
import { operatorNameOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { listComments, removeComment } from './comments'
import { commentsLimitMax } from './rules'
import { Comment } from './schema'

/** API calls for members' comments on the library, which only operators read. */
export function commentsApi({ db }: Services) {
  return router()
    .get(
      '/api/feedback',
      async ({ query, set, context }) => {
        const { comments, ...page } = await listComments(db, query)
        Object.assign(set.headers, pageHeaders(context, page))
        return comments
      },
      {
        query: t.Object({
          item: t.Optional(t.String({ maxLength: 64, description: 'Of this item alone, by its id.' })),
          limit: t.Optional(wholeNumber('limit', 1, commentsLimitMax)),
          cursor: t.Optional(t.String({ maxLength: 200 })),
        }),
        response: t.Array(Comment),
        ...about('votes', 'Read what members say, the newest first', 'Without their names.'),
      },
    )
    .delete(
      '/api/feedback/:id',
      async ({ params: { id }, caller }) => {
        await removeComment(db, id, operatorNameOf(caller))
        return { success: true }
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: t.Object({ success: t.Boolean() }),
        ...about(
          'votes',
          'Remove a comment',
          'Its words and tags go for good; the rating is the member’s and stays.',
        ),
      },
    )
}
