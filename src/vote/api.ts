import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { memberOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { listFeedback } from './queries'
import { rateItem } from './rate'
import { Feedback, FeedbackSums, ListedFeedback, Vote, VoteSums } from './schema'
import { voteFor } from './vote'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const feedbackLimitMax = 200

/** API calls for votes and ratings. A member has one of each per item, and can change them. */
export function voteApi({ db }: Services) {
  return router()
    .post(
      '/api/stories/:id/vote',
      async ({ params: { id }, body, caller }) => voteFor(db, memberOf(caller).id, id, body.voteType),
      {
        params,
        body: Vote,
        response: VoteSums,
        ...about(
          'votes',
          'Vote for an item, or against it',
          'One vote a member and item; `none` takes it back.',
          {
            404: 'There is no such item for this member',
          },
        ),
      },
    )
    .post(
      '/api/stories/:id/feedback',
      async ({ params: { id }, body, caller }) => rateItem(db, memberOf(caller).id, id, body),
      {
        params,
        body: Feedback,
        response: FeedbackSums,
        ...about(
          'votes',
          'Rate an item',
          'One rating a member and item; given again it changes. Comments and tags pass the content guidelines and are read by the studio only.',
          { 404: 'There is no such item for this member' },
        ),
      },
    )
    .get(
      '/api/stories/:id/feedback',
      async ({ params: { id }, query }) => {
        if (!isId(id)) throw new AppError('not_found', 'There is no such item.')
        return listFeedback(db, id, query.limit ?? feedbackLimitMax)
      },
      {
        params,
        query: t.Object({ limit: t.Optional(wholeNumber('limit', 1, feedbackLimitMax)) }),
        response: t.Array(ListedFeedback),
        ...about('votes', 'Read what members said of an item', 'The newest first, without their names.'),
      },
    )
}
