import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { categories } from '#src/story/rules'
import { eventContentTypes, eventTypes } from './rules'

const seconds = t.Optional(t.Union([t.Number({ minimum: 0, maximum: 86_400 }), t.Null()]))

/** One event as a browser sends it. Each event is checked separately, so that a bad one does not spoil its batch. */
export const EventReport = t.Object(
  {
    id: t.Optional(
      t.String({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'A UUID of the sender’s: a retry sends it again unchanged, and counts once.',
      }),
    ),
    eventType: oneOf(eventTypes),
    timestamp: t.Union([t.String({ maxLength: 40 }), t.Number()], {
      description: 'ISO 8601, or milliseconds since 1970.',
    }),
    deltaMs: t.Optional(t.Union([t.Number({ minimum: 0 }), t.Null()])),
    contentId: t.Optional(t.Union([t.String({ maxLength: 64 }), t.Null()])),
    contentType: t.Optional(t.Union([oneOf(eventContentTypes), t.Null()])),
    positionSec: seconds,
    totalSec: seconds,
    page: t.Optional(t.Union([t.String({ maxLength: 300 }), t.Null()])),
    data: t.Optional(t.Union([t.Record(t.String(), t.Unknown()), t.Null()])),
  },
  { additionalProperties: true },
)
export type EventReport = t.Static<typeof EventReport>

export const exampleEvent = {
  id: '0b54c1de-77f0-4a8e-9f06-2d8e3d1a4c55',
  eventType: 'audio_progress',
  timestamp: '2026-11-20T20:15:00.000Z',
  deltaMs: 1_200,
  contentId: '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57',
  contentType: 'story',
  positionSec: 120,
  totalSec: 764,
}

export const Summary = t.Object({
  totalUsers: t.Integer({ description: 'Everyone who is known, today and before the period.' }),
  activeUsers: t.Integer({ description: 'Distinct visitors and members of the period.' }),
  sessionsPerUser: t.Number(),
  totalContentViews: t.Integer({ description: 'A visitor, item and day is one view.' }),
  totalAudioPlays: t.Integer({ description: 'Views in which something was heard.' }),
  totalStoriesRead: t.Integer({ description: 'Views in which a text was read to its end.' }),
  avgSessionDuration: t.Number({ description: 'Seconds.' }),
  avgCompletionRate: t.Number({ description: 'Percent of the views.' }),
  totalSessions: t.Integer(),
  totalEvents: t.Integer(),
})
export type Summary = t.Static<typeof Summary>

const day = t.String({ description: 'A day, UTC.', examples: ['2026-11-20'] })

export const Behavior = t.Object({
  dailyActiveUsers: t.Array(t.Object({ date: day, count: t.Integer() })),
  sessionDurations: t.Array(t.Object({ range: t.String({ examples: ['1-5 min'] }), count: t.Integer() })),
  topEvents: t.Array(t.Object({ eventType: oneOf(eventTypes), count: t.Integer() })),
})
export type Behavior = t.Static<typeof Behavior>

export const Realtime = t.Object({
  currentActiveUsers: t.Integer({ description: 'Who played or read something in the last two minutes.' }),
  activeContent: t.Array(
    t.Object({
      contentTitle: t.String(),
      contentType: t.String(),
      eventType: t.String(),
      activeUsers: t.Integer(),
    }),
  ),
  recentEvents: t.Array(
    t.Object({
      eventType: t.String(),
      contentTitle: t.Union([t.String(), t.Null()]),
      timestamp: t.String({ description: 'ISO 8601, UTC.' }),
    }),
  ),
})
export type Realtime = t.Static<typeof Realtime>

export const ContentAnalytics = t.Object({
  contentId: t.String(),
  contentTitle: t.String(),
  category: t.String(),
  rating: t.Number({ description: 'The mean of the ratings; 0 where there is none.' }),
  totalViews: t.Integer(),
  totalCompletions: t.Integer(),
  uniqueListeners: t.Integer(),
  favoritesCount: t.Integer(),
  avgEngagementTime: t.Number({ description: 'Seconds a view.' }),
  completed25: t.Integer(),
  completed50: t.Integer(),
  completed75: t.Integer(),
  completed100: t.Integer(),
})
export type ContentAnalytics = t.Static<typeof ContentAnalytics>

export const ContentTrends = t.Object({
  days: t.Array(
    t.Object({
      date: day,
      views: t.Integer(),
      completions: t.Integer(),
      audioPlays: t.Integer(),
      storiesRead: t.Integer(),
    }),
  ),
  items: t.Array(
    t.Object({
      contentId: t.String(),
      contentTitle: t.String(),
      views: t.Integer(),
      previousViews: t.Integer({ description: 'In the period of the same length before.' }),
    }),
    { description: 'The items that gained most.' },
  ),
})
export type ContentTrends = t.Static<typeof ContentTrends>

export const categoryFilters = ['all', ...categories] as const
export type CategoryFilter = (typeof categoryFilters)[number]
