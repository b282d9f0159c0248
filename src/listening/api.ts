import * as t from 'typebox'
import { openLimiter } from '#src/analytics/limiter'
import { asksNotToBeTracked } from '#src/analytics/sender'
import { AppError } from '#src/app-error'
import { ownerOf } from '#src/member/sign-in/owner'
import type { RequestContext } from '#src/request/context'
import { about, jsonAnswer, router } from '#src/request/router'
import { giveVisitorId } from '#src/request/visitor-id'
import type { Services } from '#src/services'
import { deviceKind } from '#src/session/device-words'
import { isId } from '#src/shape/id'
import { oneOf } from '#src/shape/one-of'
import { missingItem } from '#src/story/require-item'
import { itemTypes } from '#src/story/rules'
import { listNext } from './list-next'
import { findProgressWithPlaces } from './queries'
import { reportSecondsMin, reportsPerMinuteMax } from './rules'
import { saveProgress } from './save-progress'
import { type Listener, NextItems, NextQuery, Progress, ProgressReport, ProgressWithPlaces } from './schema'

/** API calls for the positions of listeners and readers. */
export function listeningApi(services: Services) {
  const { db } = services
  const takeReports = openLimiter(reportsPerMinuteMax)
  return router()
    .post(
      '/api/analytics/progress',
      async ({ body, context, request }) => {
        if (takeReports(context.caller.addressHash, 1) === 0)
          throw new AppError('throttled', 'Too many positions at once. Wait a minute and try again.', {
            retryAfterSeconds: 60,
          })
        if (body.owner && body.owner !== ownerOf(services.secrets, context.caller.member))
          throw new AppError('conflict', 'This position belongs to another listener. Reload the page.')
        const listener = listenerOf(context) ?? (await newListener(context))
        const progress = await saveProgress(db, listener, body, {
          device: deviceKind(request.headers.get('user-agent') ?? ''),
          addressHash: asksNotToBeTracked(request) ? null : context.caller.addressHash,
          isCounted: context.caller.operator === null,
        })
        return { success: true, progress }
      },
      {
        body: ProgressReport,
        response: t.Object({ success: t.Boolean(), progress: Progress }),
        ...about(
          'progress',
          'Save my position',
          'A late or stale report, or a start at 0, never overwrites a later position; the answer is what is saved.',
          {
            404: 'There is no such item',
            409: 'The page it comes from is another listener’s',
            429: 'Too many reports at once, or too many newcomers today: those go on with the cookie of this answer',
          },
        ),
      },
    )
    .get(
      '/api/analytics/progress/:contentId/:contentType',
      async ({ params, context }) => {
        const listener = listenerOf(context)
        return jsonAnswer(
          listener && (await findProgressWithPlaces(db, listener, params.contentId, params.contentType)),
        )
      },
      {
        params: t.Object({ contentId: t.String({ maxLength: 64 }), contentType: oneOf(itemTypes) }),
        response: t.Union([ProgressWithPlaces, t.Null()]),
        ...about(
          'progress',
          'My position in an item',
          'The record, or null where there is none. `places` says where each device last was, so that a player can offer more than one.',
        ),
      },
    )
    .get(
      '/api/content/:id/next',
      async ({ params, query, caller }) => {
        const next = isId(params.id) ? await listNext(db, caller, params.id, query) : null
        if (!next) throw missingItem()
        return next
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        query: NextQuery,
        response: NextItems,
        ...about(
          'progress',
          'What may follow an item',
          'The queue in its order, without what is removed, hidden or not for this caller, then what is of the same type and categories.',
        ),
      },
    )
}

/** The owner of a request's positions; null for a visitor without an id. */
export function listenerOf({ caller }: RequestContext): Listener | null {
  if (caller.member) return { anonId: caller.member.id, userId: caller.member.id }
  return caller.visitorId ? { anonId: caller.visitorId, userId: null } : null
}

/**
 * Issues an id to a new visitor. Past the day's budget of their address they get an id too, but are asked to report
 * again with it: a browser does so by itself, and a client that stores no cookie leaves no rows behind.
 */
async function newListener(context: RequestContext): Promise<Listener> {
  const anonId = await giveVisitorId(context)
  if (!context.caller.isVisitorCounted)
    throw new AppError(
      'throttled',
      'Many new listeners came from here today. Send this again with the cookie from this answer.',
      { retryAfterSeconds: reportSecondsMin },
    )
  return { anonId, userId: null }
}
