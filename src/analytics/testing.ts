import type { Browser } from '#src/testing/app'
import type { EventReport } from './schema'

type Fields = Partial<EventReport> & { minutesAgo?: number }

/** An event as a browser sends it, by default from a minute ago. */
export function event({ minutesAgo = 1, ...fields }: Fields = {}): EventReport {
  return {
    id: crypto.randomUUID(),
    eventType: 'page_view',
    timestamp: new Date(Date.now() - minutesBack(minutesAgo) * 60_000).toISOString(),
    ...fields,
  }
}

/** Shortens the last minutes, in the same order, if less of today has passed: right after midnight. */
function minutesBack(minutes: number): number {
  if (minutes < 0 || minutes > recentMinutes) return minutes
  const sinceMidnight = (Date.now() % 86_400_000) / 60_000
  return (minutes * Math.min(sinceMidnight, recentMinutes)) / recentMinutes
}

const recentMinutes = 10

/** Sends events in the browser's own session. */
export async function sendEvents(
  browser: Browser,
  events: readonly unknown[],
  headers: Record<string, string> = {},
) {
  const { sessionId } = await browser.json('/api/analytics/session', { json: { consent: true }, headers })
  return browser.json('/api/analytics/events', {
    json: sessionId ? { sessionId, events } : { events },
    headers,
  })
}

/** The events of a playback of an item, up to `fraction` of its 600 seconds. */
export function listening(contentId: string, fraction: number, minutesAgo = 2): EventReport[] {
  const about = { contentId, contentType: 'story', totalSec: 600, minutesAgo } as const
  return [
    event({ ...about, eventType: 'audio_play', positionSec: 0, page: '/stories' }),
    event({
      ...about,
      eventType: 'audio_progress',
      positionSec: 600 * fraction,
      minutesAgo: minutesAgo - 0.2,
    }),
    ...(fraction === 1
      ? [event({ ...about, eventType: 'audio_complete', positionSec: 600, minutesAgo: minutesAgo - 0.5 })]
      : []),
  ]
}
