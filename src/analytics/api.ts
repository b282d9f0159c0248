import * as t from 'typebox'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { countEvents } from '#src/process/metrics'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { collect } from './collect'
import { refreshRollups } from './fresh'
import { readBatch } from './ingest'
import { openLimiter } from './limiter'
import {
  describeBehavior,
  describeContentTrends,
  describeRealtime,
  listContentAnalytics,
  summarise,
} from './queries'
import { readSpan } from './read-span'
import { batchEventsMax, dropReasons, eventsPerMinuteMax, sessionsPerMinuteMax } from './rules'
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

/** Routes by which browsers report usage, and by which operators read it. */
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
            description: 'Each is checked on its own: an error in one does not affect the others.',
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
          'Report events',
          'Answers once the events are in the database. The sender is who is signed in, whatever the events say.',
          { 503: 'Too many events wait; send them again later' },
        ),
      },
    )
    .get(
      '/api/analytics/summary',
      async ({ query }) => {
        await refreshRollups(db)
        return read((from) => summarise(from, readSpan(query)))
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
        return read((from) => describeBehavior(from, readSpan(query)))
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
        return read((from) => listContentAnalytics(from, readSpan(query)))
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
        return read((from) => describeContentTrends(from, readSpan(query)))
      },
      {
        query: t.Object({ days, category }),
        response: ContentTrends,
        ...about('analytics', 'Views by day, and the items that gained most'),
      },
    )
}
