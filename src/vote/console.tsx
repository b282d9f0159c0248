import * as t from 'typebox'
import CommentList from '#islands/vote/comment-list'
import { consoleUrls } from '#src/console-urls'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import { SelectRows } from '#src/selection/select-rows'
import type { Services } from '#src/services'
import { Island } from '#src/ui/island'
import { More } from '#src/ui/more'
import { listComments } from './comments'

/** The page /feedback: members' comments on the library, or on one item. */
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
            <a className="btn btn-quiet" href={item ? consoleUrls.feedback() : consoleUrls.moderation()}>
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
              {count > 0 && <SelectRows kind="comments" filter={{ item }} total={count} />}
              {nextCursor && (
                <More href={consoleUrls.feedback({ item, cursor: nextCursor })}>Older comments</More>
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
