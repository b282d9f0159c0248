import * as t from 'typebox'
import RowSelection from '#islands/operator/row-selection'
import CommentList from '#islands/vote/comment-list'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { listComments } from './comments'

/** /feedback: members' comments on the library, or on one item. */
export function voteConsole(services: Services) {
  return router().get(
    '/feedback',
    async ({ context, query: { item, cursor } }) =>
      consolePage(
        context,
        {
          title: 'What members say',
          room: 'Moderation',
          actions: (
            <a className="btn btn-quiet" href={item ? urls.feedback() : urls.moderation()}>
              {item ? 'Of every item' : 'Reports'}
            </a>
          ),
        },
        async () => {
          const { comments, count, isAtLeast, nextCursor } = await listComments(services.db, { item, cursor })
          return (
            <div className="stack">
              <Island
                name="comment-list"
                when="press"
                of={CommentList}
                props={{ comments, count, isAtLeast, at: Date.now() }}
              />
              {count > 0 && (
                <Island
                  name="row-selection"
                  when="press"
                  presses="[data-pick]"
                  of={RowSelection}
                  props={{ kind: 'comments', filter: { item }, total: count }}
                />
              )}
              {nextCursor && (
                <p className="more">
                  <a className="btn btn-quiet" href={urls.feedback({ item, cursor: nextCursor })}>
                    Older comments
                  </a>
                </p>
              )}
            </div>
          )
        },
      ),
    {
      query: t.Object({
        item: t.Optional(t.String({ maxLength: 64 })),
        cursor: t.Optional(t.String({ maxLength: 200 })),
      }),
      detail: { hide: true },
    },
  )
}
