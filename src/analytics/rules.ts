/** Business numbers and closed lists of the analytics. Browser-safe: no imports. */

/** visitor.md §7, to the letter. */
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

/** Being there with an item: each of these makes a view, whichever comes first. */
export const viewEvents = [
  'audio_play',
  'audio_progress',
  'audio_complete',
  'read_start',
  'read_progress',
  'read_complete',
] as const satisfies readonly EventType[]
export const completionEvents = ['audio_complete', 'read_complete'] as const satisfies readonly EventType[]

/** Why an event is not kept; each is counted (product.md §8). */
export const dropReasons = ['dnt', 'gpc', 'consent', 'bot', 'invalid', 'too_old', 'rate_limited'] as const
export type DropReason = (typeof dropReasons)[number]

/** Limits of security.md. A batch of the client has 10. */
export const batchBytesMax = 64 * 1024
export const batchEventsMax = 50
export const dataBytesMax = 2 * 1024
/** What waited offline for a week is still of use; older days are closed. */
export const eventAgeMsMax = 7 * 24 * 3_600_000
/** A clock may be ahead by minutes. Further ahead it would be the rollups' future. */
export const eventAheadMsMax = 5 * 60_000
/** A browser makes some dozens a minute; a household or an office behind one address, some hundreds. */
export const eventsPerMinuteMax = 3_000
export const sessionsPerMinuteMax = 120

/** Events that wait for their commit, at most; more is refused with 503 (security.md: event buffer). */
export const waitingEventsMax = 10_000
/** Rows of one insert: larger ones are no quicker, and make those behind them wait. */
export const insertEventsMax = 2_000

export const periods = [1, 7, 30, 90, 365] as const
export type Period = (typeof periods)[number]
export const periodDefault: Period = 30

/** operator.md §9 */
export const contentListMax = 10
export const recentEventsMax = 8
export const activeSeconds = 120

/** Upper ends in minutes; the last range has none. */
export const sessionRanges = [
  { range: '0-1 min', untilMinutes: 1 },
  { range: '1-5 min', untilMinutes: 5 },
  { range: '5-15 min', untilMinutes: 15 },
  { range: '15-30 min', untilMinutes: 30 },
  { range: '30+ min', untilMinutes: null },
] as const

/** Between two events of an item lies listening or reading, if no more than this: a page of a text, at most. */
export const engagementGapSecondsMax = 600
/** Who leaves an item sooner, unfinished, has bounced. */
export const bounceSeconds = 10

/** Events are kept so long, and dropped by whole months. Rollups hold numbers only, and stay. */
export const retentionDays = 400
export const saltHours = 48
/** A visitor, item and day become a view after so much play or reading (product.md §3). */
export const viewSeconds = 30
