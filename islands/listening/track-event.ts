import type { EventContentType, EventType } from '#src/analytics/rules'

/** An event that begins as the data layer's do would go there alone: none may. */
export type AnalyticsEvent = Exclude<EventType, `content_${string}` | `scroll_${string}`>

/** Events for the page's data layer alone: known by how they begin, so that no page loads the list of the others. */
export type DataLayerEvent =
  | 'content_view'
  | 'content_open'
  | 'content_play'
  | 'content_pause'
  | 'content_complete'
  | 'content_milestone'
  | 'content_read'
  | 'scroll_depth'

export type EventFields = {
  contentId?: string
  contentType?: EventContentType
  positionSec?: number
  totalSec?: number
  data?: Record<string, string | number | boolean | null>
}

/** Receives analytics events: the analytics client, once it is loaded. */
export type Sink = (eventType: AnalyticsEvent, fields: EventFields) => void

declare global {
  interface Window {
    /** The page's data layer; a tag manager of the operator's may read it. */
    dataLayer?: object[]
    /** On the window, since bundles share no variables. */
    nocturneSink?: Sink
  }
}

/** Bounded, since no script may be reading it: a page that stays open all night must not fill its memory. */
const dataLayerMax = 500

/**
 * Records an event in the data layer, which stays in the page, and with the analytics client. Without a client (no
 * consent, Do Not Track) the event is logged to the console, and nothing is tracked.
 */
export function track(eventType: AnalyticsEvent | DataLayerEvent, fields: EventFields = {}): void {
  const { data, ...rest } = fields
  pushToDataLayer({ event: eventType, ...rest, ...data })
  if (!isAnalyticsEvent(eventType)) return
  if (window.nocturneSink) window.nocturneSink(eventType, fields)
  else console.warn(`Analytics is not initialised: ${eventType}`)
}

/** Sends analytics events to `sink` from now on; returns a function that stops it. */
export function attachSink(sink: Sink): () => void {
  window.nocturneSink = sink
  return () => {
    if (window.nocturneSink === sink) window.nocturneSink = undefined
  }
}

/** Do Not Track or Global Privacy Control. */
export function asksNotToBeTracked(): boolean {
  const { doNotTrack } = navigator
  const hasPrivacyControl = 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true
  return doNotTrack === '1' || doNotTrack === 'yes' || hasPrivacyControl
}

export function pushToDataLayer(entry: object): void {
  window.dataLayer ??= []
  const layer = window.dataLayer
  layer.push(entry)
  if (layer.length > dataLayerMax) layer.splice(0, layer.length - dataLayerMax)
}

function isAnalyticsEvent(eventType: AnalyticsEvent | DataLayerEvent): eventType is AnalyticsEvent {
  return !/^(content|scroll)_/.test(eventType)
}
