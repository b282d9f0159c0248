import type { EventContentType, EventType } from '#src/analytics/rules'

/** Event types of analytics. None may start with a prefix of the data layer's events, or it would go there only. */
export type AnalyticsEvent = Exclude<EventType, `content_${string}` | `scroll_${string}`>

/**
 * Events for the page's data layer only. They are recognized by their prefix, so that no page has to load the list of
 * the others.
 */
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

/** Receives analytics events. It is the analytics client, once loaded. */
export type Sink = (eventType: AnalyticsEvent, fields: EventFields) => void

declare global {
  interface Window {
    /** The page's data layer. The operator's tag manager may read it. */
    dataLayer?: object[]
    /** On `window`, because bundles share no variables. */
    nocturneSink?: Sink
  }
}

/**
 * Maximum length of the data layer. No script may be reading it, and a page that stays open all night must not fill its
 * memory.
 */
const dataLayerMax = 500

/**
 * Records an event in the page's data layer and sends it to the analytics client. Without a client (no consent, Do Not
 * Track) the event is only logged to the console.
 */
export function track(eventType: AnalyticsEvent | DataLayerEvent, fields: EventFields = {}): void {
  const { data, ...rest } = fields
  pushToDataLayer({ event: eventType, ...rest, ...data })
  if (!isAnalyticsEvent(eventType)) return
  if (window.nocturneSink) window.nocturneSink(eventType, fields)
  else console.warn(`Analytics is not initialised: ${eventType}`)
}

/** Sends analytics events to `sink` from now on. Returns a function that stops it. */
export function attachSink(sink: Sink): () => void {
  window.nocturneSink = sink
  return () => {
    if (window.nocturneSink === sink) window.nocturneSink = undefined
  }
}

/** Whether the browser sends Do Not Track or Global Privacy Control. */
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
