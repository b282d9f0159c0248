import * as t from 'typebox'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { AppError } from '#src/app-error'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { wholeNumber } from '#src/http/query'
import { countEvents } from '#src/process/metrics'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { invalidField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { collect } from './collect'
import { refreshRollups } from './fresh'
import { readBatch } from './ingest'
import { describeConversion, describeRetention, listSearches } from './insight'
import { openLimiter } from './limiter'
import {
  describeBehavior,
  describeContentTrends,
  describeRealtime,
  listContentAnalytics,
  summarise,
} from './queries'
import {
  batchEventsMax,
  dropReasons,
  eventsPerMinuteMax,
  type Period,
  periodDefault,
  periods,
  sessionsPerMinuteMax,
} from './rules'
import {
  Behavior,
  ContentAnalytics,
  ContentTrends,
  categoryFilters,
  exampleEvent,
  Realtime,
  Summary,
} from './schema'
import { senderOf } from './sender'
import { answerSession, SessionCall } from './session-call'

const days = t.Optional(wholeNumber('days', 1, 365))
const category = t.Optional(oneOf(categoryFilters))
const sessionId = t.Union([t.String({ minLength: 1, maxLength: 64 }), t.Null()])

/** Calls by which browsers report usage, and those by which operators read it. */
export function analyticsApi(services: Services) {
  const { db } = services
  function read<T>(figures: (from: Executor) => Promise<T>): Promise<T> {
    return fromReplica(db, 'dashboards', figures)
  }
  const takeEvents = openLimiter(eventsPerMinuteMax)
  const takeSessions = openLimiter(sessionsPerMinuteMax)
  return router()
    .post(
      '/api/analytics/session',
      async ({ body, context, caller }) => {
        if (takeSessions(caller.addressHash, 1) === 0)
          throw new AppError('throttled', 'Too many sessions at once. Wait a minute and try again.', {
            retryAfterSeconds: 60,
          })
        return answerSession(context, body)
      },
      {
        body: SessionCall,
        response: t.Object({
          sessionId,
          userId: t.Union([t.String(), t.Null()], {
            description: 'The member whose session this is; null for a visitor.',
          }),
        }),
        ...about(
          'analytics',
          'Open a session, or keep it open',
          'With `consent` it opens one; with `sessionId` and `lastSeen` it is a heartbeat. Null where nothing is tracked: without consent, with Do Not Track or Global Privacy Control, for bots and operators.',
          { 429: 'Too many sessions at once' },
        ),
      },
    )
    .post(
      '/api/analytics/events',
      async ({ body, context, caller }) => {
        const sender = await senderOf(context, body.sessionId ?? null)
        const { rows, dropped } = readBatch(
          body.events,
          sender,
          (count) => takeEvents(caller.addressHash, count),
          new Date(),
        )
        const accepted = rows.length > 0 ? await collect(db, rows) : 0
        countEvents({ outcome: 'accepted' }, accepted)
        for (const [reason, count] of Object.entries(dropped)) countEvents({ outcome: reason }, count)
        return { accepted, duplicates: rows.length - accepted, dropped }
      },
      {
        body: t.Object({
          sessionId: t.Optional(sessionId),
          events: t.Array(t.Unknown(), {
            maxItems: batchEventsMax,
            description: 'Each is checked by itself: what is wrong with one spoils no other.',
            examples: [[exampleEvent]],
          }),
        }),
        response: t.Object({
          accepted: t.Integer(),
          duplicates: t.Integer(),
          dropped: t.Object(
            Object.fromEntries(dropReasons.map((reason) => [reason, t.Optional(t.Integer())])),
            { examples: [{ invalid: 1 }] },
          ),
        }),
        ...about(
          'analytics',
          'Tell what happened',
          'Answers once the events are in the database. The sender is who is signed in, whatever the events say.',
          { 503: 'Too many events wait; send them again later' },
        ),
      },
    )
    .get(
      '/api/analytics/summary',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => summarise(from, spanOf(query)))
      },
      {
        query: t.Object({ days, category }),
        response: Summary,
        ...about('analytics', 'The numbers of a period'),
      },
    )
    .get(
      '/api/analytics/behavior',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => describeBehavior(from, spanOf(query)))
      },
      {
        query: t.Object({ days, category }),
        response: Behavior,
        ...about('analytics', 'Active users by day, lengths of sessions, the commonest events'),
      },
    )
    .get('/api/analytics/realtime', () => read(describeRealtime), {
      response: Realtime,
      ...about('analytics', 'What happens now'),
    })
    .get(
      '/api/analytics/content',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => listContentAnalytics(from, spanOf(query)))
      },
      {
        query: t.Object({ days, category }),
        response: t.Array(ContentAnalytics),
        ...about('analytics', 'The ten items with the most views'),
      },
    )
    .get(
      '/api/analytics/content-trends',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => describeContentTrends(from, spanOf(query)))
      },
      {
        query: t.Object({ days, category }),
        response: ContentTrends,
        ...about('analytics', 'Views by day, and the items that gained most'),
      },
    )
    .get(
      '/api/analytics/searches',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => listSearches(from, spanOf(query).days))
      },
      {
        query: t.Object({ days }),
        response: t.Array(t.Object({ query: t.String(), searches: t.Integer(), withoutResult: t.Integer() })),
        ...about('analytics', 'What is searched for, and not found'),
      },
    )
    .get(
      '/api/analytics/retention/:contentId',
      async ({ params, query }) => {
        await refreshRollups(db)
        return read((from) => describeRetention(from, params.contentId, spanOf(query).days))
      },
      {
        params: t.Object({ contentId: t.String({ maxLength: 64 }) }),
        query: t.Object({ days }),
        response: t.Object({
          contentId: t.String(),
          contentTitle: t.String(),
          views: t.Integer(),
          bounceRate: t.Number({ description: 'Percent of the views.' }),
          curve: t.Array(t.Object({ percent: t.Integer(), count: t.Integer() })),
        }),
        ...about('analytics', 'Where listeners and readers of an item stop', undefined, {
          404: 'There is no such item',
        }),
      },
    )
    .get(
      '/api/analytics/conversion',
      async () => {
        const limit = await findFreeStoryLimit(services)
        return read((from) => describeConversion(from, limit))
      },
      {
        response: t.Object({
          days: t.Integer(),
          freeStoryLimit: t.Integer(),
          atLimit: t.Integer({ description: 'Visitors who used up their free stories.' }),
          joined: t.Integer(),
          joinedAtLimit: t.Integer({
            description: 'Of those who joined: who had read up to the limit before.',
          }),
        }),
        ...about('analytics', 'What the free-reading limit converts'),
      },
    )
}

/** The period and category of a query. Throws `invalid` for a number of days that is not one of the periods. */
function spanOf(query: { days?: number; category?: (typeof categoryFilters)[number] }) {
  const days = query.days ?? periodDefault
  const period: Period | undefined = periods.find((each) => each === days)
  if (period === undefined) throw invalidField('days', `Expected one of: ${periods.join(', ')}`)
  return { days: period, category: query.category ?? 'all' }
}
