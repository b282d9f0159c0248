import { playerState } from '#islands/player/state'
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
import { reportProgress, reportProgressLast } from '#islands/report-progress'
import { type AnalyticsEvent, type DataLayerEvent, track } from '#islands/track-event'
import { type ProgressReason, readReportSeconds } from '#src/listening/rules'
import type { ItemType } from '#src/story/rules'

export type ReadText = { contentId: string; contentType: ItemType; title: string; totalSec: number }

/**
 * Follows the reading of a text and tells others of it: opening, milestones, places and the end. `onFraction`
 * hears how far it is. Gives the way to close the reading.
 */
export function followReading(
  { contentId, contentType, title, totalSec }: ReadText,
  area: ScrollArea,
  keptFraction: number,
  onFraction: (fraction: number) => void,
): () => void {
  let session: ReadingSession = openSession(performance.now(), startOf(area), keptFraction)
  let later: Timer | null = null

  const tell = (eventType: AnalyticsEvent | DataLayerEvent, data: Record<string, number> = {}) => {
    const positionSec = session.fraction * totalSec
    track(eventType, { contentId, contentType, positionSec, totalSec, data: { title, ...data } })
  }
  const place = (reason: ProgressReason | null) => ({
    contentId,
    contentType,
    lastPositionSec: session.fraction * totalSec,
    totalSec,
    completed: session.isCompleted,
    reason: reasonOf(session, reason, performance.now()) ?? undefined,
  })

  function report(reason: ProgressReason | null): void {
    // Reading and listening share one position: while the text is being spoken, the voice leads.
    if (reason !== 'end' && isSpoken(contentId)) return
    const body = place(reason)
    session = markSent(session, performance.now())
    void reportProgress(body)
  }

  function onMove(): void {
    const moved = moveTo(session, area.fraction(), performance.now())
    session = moved.session
    onFraction(session.fraction)
    for (const percent of moved.news.milestones) {
      tell('content_milestone', { percent })
      tell('scroll_depth', { percent })
    }
    if (moved.news.isCompletedNow) {
      tell('read_complete')
      tell('content_read')
    }
    if (moved.news.isReportDue) report(moved.news.isCompletedNow ? 'end' : null)
    else if (hasMoved(session)) later ??= setTimeout(onLater, readReportSeconds * 1000)
  }

  /** A larger type is a longer text: the place in it stays. */
  function onLayout(): void {
    if (session.fraction > 0 && session.fraction < 1) area.scrollTo(session.fraction)
    onMove()
  }

  /** The eye rests: what was read until then is reported without another scroll. */
  function onLater(): void {
    later = null
    onMove()
  }

  function onHidden(): void {
    if (document.visibilityState === 'visible' || !hasMoved(session) || isSpoken(contentId)) return
    reportProgressLast(place('close'))
    session = markSent(session, performance.now())
  }

  tell('read_start')
  tell('content_open')
  onFraction(session.fraction)
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
    if (hasMoved(session)) report('close')
    if (isUnfinishedReading(session, performance.now())) tell('read_progress')
  }
  addEventListener('pagehide', close)
  return close
}

/** A text that fits is complete as soon as it is laid out, which is told right after; until then it is not. */
function startOf(area: ScrollArea): number {
  const fraction = area.fraction()
  return fraction === 1 ? 0 : fraction
}

function isSpoken(contentId: string): boolean {
  const { currentTrack, isPlaying } = playerState()
  return isPlaying && currentTrack !== null && contentOf(currentTrack)?.contentId === contentId
}
