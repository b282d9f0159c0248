import * as t from 'typebox'
import { removalDays } from '#db/changes'
import { wholeNumber } from '#src/http/query'
import { operatorNameOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { readSince, SinceQuery } from '#src/shape/changes'
import { listHeld, listHoldGroups } from './held'
import { reviewHeld, reviewManyHeld } from './review'
import { heldLimitMax, reviewedAtOnceMax } from './rules'
import { BulkReview, BulkReviewed, HeldItem, HoldGroup, Review } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** API calls for the queue of held items, and the decisions on them. */
export function reviewApi(services: Services) {
  const { db } = services
  return router()
    .get('/api/held-content/rules', async () => listHoldGroups(db), {
      response: t.Array(HoldGroup),
      ...about('guidelines', 'Count what is held, by what holds it, the most first'),
    })
    .get(
      '/api/held-content',
      async ({ query, set, context }) => {
        const { updatedSince, ...page } = query
        const since = readSince({ updatedSince }, removalDays)?.since
        const { held, nextCursor, total } = await listHeld(db, { ...page, since })
        Object.assign(set.headers, pageHeaders(context, { count: total, nextCursor }))
        return held
      },
      {
        query: t.Object({
          limit: t.Optional(wholeNumber('limit', 1, heldLimitMax)),
          cursor: t.Optional(t.String({ maxLength: 200 })),
          ruleId: t.Optional(t.String({ maxLength: 200, description: 'Only what this holds.' })),
          ...SinceQuery,
        }),
        response: t.Array(HeldItem),
        ...about(
          'guidelines',
          'List what is held for review, the longest waiting first',
          'With `updatedSince` only what came or changed since then. Decided items are not included: the item itself has the outcome.',
        ),
      },
    )
    .patch(
      '/api/held-content/:id',
      async ({ params: { id }, body, caller }) => {
        return { id, ...(await reviewHeld(services, id, body, operatorNameOf(caller))) }
      },
      {
        params,
        body: Review,
        response: t.Object({ id: t.String(), status: t.String({ examples: ['published'] }) }),
        ...about('guidelines', 'Approve or refuse a held item', undefined, { 409: 'The item is not held' }),
      },
    )
    .patch(
      '/api/held-content',
      async ({ body, caller }) => reviewManyHeld(services, body, operatorNameOf(caller)),
      {
        body: BulkReview,
        response: BulkReviewed,
        ...about(
          'guidelines',
          'Approve or refuse many held items',
          `Exactly one of \`ids\`, \`ruleId\` and \`all\`. At most ${reviewedAtOnceMax} items a call: send it again while \`remaining\` is not 0. An item that is approved by one rule and held by another stays for that one.`,
        ),
      },
    )
}
