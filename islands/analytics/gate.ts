import { readConsent } from '#islands/analytics/consent'
import { startPageEvents } from '#islands/analytics/page-events'
import {
  type AnalyticsEvent,
  asksNotToBeTracked,
  attachSink,
  type EventFields,
} from '#islands/listening/track-event'
import { whenIdle } from '#islands/runtime/when-idle'

/** The file name of the client, inserted by scripts/build-islands.ts. */
declare const analyticsFile: string

export type Early = { eventType: AnalyticsEvent; fields: EventFields; atMs: number; page: string }

/**
 * Loads the analytics client when the page is idle. Until it is loaded, events are recorded, but only with consent and
 * if the browser does not object to tracking.
 */
export function startAnalytics(): void {
  const early: Early[] = []
  const isQuiet = asksNotToBeTracked()
  if (!isQuiet && readConsent() === true) {
    attachSink((eventType, fields) =>
      early.push({ eventType, fields, atMs: Date.now(), page: location.pathname }),
    )
  }
  startPageEvents()
  if (isQuiet) return
  whenIdle(() => {
    import(`/assets/${analyticsFile}`).then(({ start }) => start(early)).catch(console.warn)
  })
}
