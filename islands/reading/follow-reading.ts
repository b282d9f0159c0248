import { reportProgress, reportProgressLast } from '#islands/listening/report-progress'
import { type AnalyticsEvent, type DataLayerEvent, track } from '#islands/listening/track-event'
import { playedNow } from '#islands/player/played-now'
import { contentOf } from '#islands/player/track-content'
import type { ScrollArea } from '#islands/reading/scroll-area'
import {
  hasMoved,
  isUnfinishedReading,
  markSent,
  moveTo,
  openSession,
  type ReadingSession,
  reasonOf,
} from '#islands/reading/session'
import { type ProgressReason, readReportSeconds } from '#src/listening/rules'
import type { ItemType } from '#src/story/rules'

export type ReadText = { contentId: string; contentType: ItemType; title: string; totalSec: number }

/**
 * Tracks the reading of a text, and reports it: opening, milestones, positions and the end. `onFraction` receives the
 * progress. Returns a function that ends the reading.
 */
export function followReading(
  text: ReadText,
  area: ScrollArea,
  savedFraction: number,
  onFraction: (fraction: number) => void,
): () => void {
  const reading = openReading(text, startOf(area), savedFraction)
  let later: Timer | null = null

  function onMove(): void {
    const isReportLater = reading.onProgress(area.fraction())
    onFraction(reading.fraction())
    if (isReportLater) later ??= setTimeout(onLater, readReportSeconds * 1000)
  }

  /** Restores the reading position after a change of layout: a larger font makes the text longer. */
  function onLayout(): void {
    const fraction = reading.fraction()
    if (fraction > 0 && fraction < 1) area.scrollTo(fraction)
    onMove()
  }

  /** Reports the progress once the reader has stopped scrolling. */
  function onLater(): void {
    later = null
    onMove()
  }

  function onHidden(): void {
    if (document.visibilityState !== 'visible') reading.onHide()
  }

  onFraction(reading.fraction())
  const stops = [area.onScroll(onMove), area.onLayout(onLayout)]
  document.addEventListener('visibilitychange', onHidden)

  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    for (const stop of stops) stop()
    document.removeEventListener('visibilitychange', onHidden)
    removeEventListener('pagehide', close)
    if (later !== null) clearTimeout(later)
    reading.onClose()
  }
  addEventListener('pagehide', close)
  return close
}

/** One reading of a text: its progress, and how much of it was reported to the server and the analytics. */
function openReading(
  { contentId, contentType, title, totalSec }: ReadText,
  startFraction: number,
  savedFraction: number,
) {
  let session: ReadingSession = openSession(performance.now(), startFraction, savedFraction)

  const trackReading = (eventType: AnalyticsEvent | DataLayerEvent, data: Record<string, number> = {}) => {
    const positionSec = session.fraction * totalSec
    track(eventType, { contentId, contentType, positionSec, totalSec, data: { title, ...data } })
  }
  const place = (reason: ProgressReason | null) => ({
    ...{ contentId, contentType, lastPositionSec: session.fraction * totalSec, totalSec },
    completed: session.isCompleted,
    reason: reasonOf(session, reason, performance.now()) ?? undefined,
  })

  function report(reason: ProgressReason | null): void {
    // Reading and listening share one saved position. While the narration plays, its position counts.
    if (reason !== 'end' && isSpoken(contentId)) return
    const body = place(reason)
    session = markSent(session, performance.now())
    void reportProgress(body)
  }

  trackReading('read_start')
  trackReading('content_open')
  return {
    fraction: () => session.fraction,
    /** Returns whether the progress is to be reported once scrolling stops. */
    onProgress(fraction: number): boolean {
      const { session: moved, news } = moveTo(session, fraction, performance.now())
      session = moved
      for (const percent of news.milestones) {
        trackReading('content_milestone', { percent })
        trackReading('scroll_depth', { percent })
      }
      if (news.isCompletedNow) {
        trackReading('read_complete')
        trackReading('content_read')
      }
      if (news.isReportDue) report(news.isCompletedNow ? 'end' : null)
      return !news.isReportDue && hasMoved(session)
    },
    /** Call it when the page is hidden, perhaps for good. */
    onHide(): void {
      if (!hasMoved(session) || isSpoken(contentId)) return
      reportProgressLast(place('close'))
      session = markSent(session, performance.now())
    },
    onClose(): void {
      if (hasMoved(session)) report('close')
      if (isUnfinishedReading(session, performance.now())) trackReading('read_progress')
    },
  }
}

/**
 * Returns the fraction that the reading starts with. A text that fits the window would start as complete; it starts
 * with 0, so that its completion is reported.
 */
function startOf(area: ScrollArea): number {
  const fraction = area.fraction()
  return fraction === 1 ? 0 : fraction
}

function isSpoken(contentId: string): boolean {
  const track = playedNow()
  return track !== null && contentOf(track)?.contentId === contentId
}
