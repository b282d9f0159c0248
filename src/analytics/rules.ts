/** Business numbers and closed lists of the analytics. Browser-safe: no imports. */

/** The names are part of the API (docs/behaviour/analytics.md), which other programs use. */
export const eventTypes = [
  'page_view',
  'read_start',
  'read_complete',
  'audio_play',
  'audio_pause',
  'audio_progress',
  'audio_complete',
  'read_progress',
  'story_generated',
  'story_favorited',
  'story_shared',
  'user_login',
  'user_register',
  'search_performed',
  'error_occurred',
] as const
export type EventType = (typeof eventTypes)[number]

export const eventContentTypes = ['page', 'story', 'flow', 'generation', 'auth', 'search', 'error'] as const
export type EventContentType = (typeof eventContentTypes)[number]

/** Activity with an item. Each of these makes a view, whichever is first. */
export const viewEvents = [
  'audio_play',
  'audio_progress',
  'audio_complete',
  'read_start',
  'read_progress',
  'read_complete',
] as const satisfies readonly EventType[]
export const heardEvents = [
  'audio_play',
  'audio_progress',
  'audio_complete',
] as const satisfies readonly EventType[]
export const completionEvents = ['audio_complete', 'read_complete'] as const satisfies readonly EventType[]

/** Reasons for dropping an event. Each is counted. */
export const dropReasons = [
  'dnt',
  'gpc',
  'consent',
  'operator',
  'bot',
  'invalid',
  'too_old',
  'rate_limited',
] as const
export type DropReason = (typeof dropReasons)[number]

/** Events per call. The client's batches have 10. */
export const batchEventsMax = 50
export const dataBytesMax = 2 * 1024
/** Events that waited offline for up to a week are accepted. Older days are closed. */
export const eventAgeMsMax = 7 * 24 * 3_600_000
/** A clock may be some minutes ahead. Events further ahead would count on future days. */
export const eventAheadMsMax = 5 * 60_000
/** A browser sends some dozens a minute; a household or an office behind one address sends some hundreds. */
export const eventsPerMinuteMax = 3_000
export const sessionsPerMinuteMax = 120

/** Most events that may wait for their commit. More are refused with 503, so that memory stays bounded. */
export const waitingEventsMax = 10_000
/** Rows per insert. Larger ones are no faster, and delay those behind them. */
export const insertEventsMax = 2_000

export const periods = [1, 7, 30, 90, 365] as const
export type Period = (typeof periods)[number]
/** Figures that can be exported separately. */
export const exportedFigures = ['searches', 'retention', 'starts', 'conversion'] as const
export type ExportedFigure = (typeof exportedFigures)[number]
/** The pages on which listening begins are read from the events themselves, so the period is short. */
export const startDaysMax = 7

export const periodDefault: Period = 30

/** Rows of the dashboard's lists. Below, the age up to which activity counts as current. */
export const contentListMax = 10
export const recentEventsMax = 8
export const activeSeconds = 120

/** Upper bounds in minutes. The last range has none. */
export const sessionRanges = [
  { range: '0-1 min', untilMinutes: 1 },
  { range: '1-5 min', untilMinutes: 5 },
  { range: '5-15 min', untilMinutes: 15 },
  { range: '15-30 min', untilMinutes: 30 },
  { range: '30+ min', untilMinutes: null },
] as const

/** Longest time between two events of an item that counts as listening or reading: one page of a text. */
export const engagementGapSecondsMax = 600
/** Leaving an unfinished item sooner than this is a bounce. */
export const bounceSeconds = 10

/** Retention of events, which are dropped by whole months. Rollups contain only numbers, and stay. */
export const retentionDays = 400
export const saltHours = 48
/** Playing or reading for this long is a view, once per visitor, item and day. */
export const viewSeconds = 30
