import type { Track } from '#islands/events'
import { listNewMilestones, type Milestone } from '#islands/milestones'
import {
  afterReport,
  isDue,
  type Ledger,
  openLedger,
  reasonToSend,
  shouldReport,
} from '#islands/player/ledger'
import type { TrackContent } from '#islands/player/track-content'
import { reportProgress, reportProgressLast } from '#islands/report-progress'
import { type AnalyticsEvent, type DataLayerEvent, track as trackEvent } from '#islands/track-event'
import type { ProgressReason } from '#src/listening/rules'

/** Where the player is, in seconds; a total of 0 is not known yet. */
export type Where = { positionSec: number; totalSec: number }

export type Listening = ReturnType<typeof startListening>

/**
 * Follows one listening to one track and tells others of it: positions to the server, plays, pauses,
 * milestones and the end to the analytics. `isStartKnown`: the kept position was read, or chosen by hand.
 */
export function startListening(
  { contentId, contentType }: TrackContent,
  { title, voice }: Track,
  startSec: number,
  isStartKnown: boolean,
  where: () => Where,
) {
  let ledger: Ledger = openLedger(startSec, isStartKnown)
  let reached: Milestone[] = listNewMilestones(fractionOf({ ...where(), positionSec: startSec }), [])
  let isSounding = false

  function tell(
    eventType: AnalyticsEvent | DataLayerEvent,
    data: Record<string, string | number> = {},
  ): void {
    const { positionSec, totalSec } = where()
    trackEvent(eventType, { contentId, contentType, positionSec, totalSec, data: { title, voice, ...data } })
  }

  function place(reason: ProgressReason | null, positionSec: number) {
    const { totalSec } = where()
    return {
      contentId,
      contentType,
      lastPositionSec: positionSec,
      totalSec: totalSec > 0 ? totalSec : null,
      completed: false,
      reason: reasonToSend(ledger, reason) ?? undefined,
    }
  }

  /** What does not arrive waits in the browser (report-progress.ts): it is told once, here and there. */
  function report(reason: ProgressReason | null): void {
    const { positionSec } = where()
    if (!shouldReport(ledger, positionSec)) return
    void reportProgress(place(reason, positionSec))
    ledger = afterReport(ledger, positionSec, performance.now())
  }

  function tellPause(): void {
    if (!isSounding) return
    isSounding = false
    tell('audio_pause')
    tell('content_pause')
  }

  return {
    /** Sound comes out: at the start, after a pause, after waiting for data. */
    sounds(): void {
      ledger = { ...ledger, listeningSinceMs: ledger.listeningSinceMs ?? performance.now() }
      if (isSounding) return
      isSounding = true
      tell('audio_play')
      tell('content_play')
    },
    /** Stopped by a hand or by a failure. */
    pauses(): void {
      ledger = { ...ledger, listeningSinceMs: null }
      report('pause')
      tellPause()
    },
    /** The position moved on by itself. */
    moves(): void {
      const passed = listNewMilestones(fractionOf(where()), reached)
      reached = [...reached, ...passed]
      for (const percent of passed) tell('content_milestone', { percent })
      if (!isDue(ledger, performance.now())) return
      report(null)
      tell('audio_progress')
    },
    /** Gone back a little after a pause: that alone is no news, what is heard from there is. */
    rewinds(positionSec: number): void {
      ledger = { ...ledger, reportedSec: positionSec }
    },
    /** From here until `sought` nothing is reported (visitor.md §4). */
    seeks(): void {
      ledger = { ...ledger, isSeeking: true }
    },
    sought(): void {
      if (!ledger.isSeeking) return
      ledger = { ...ledger, isSeeking: false }
      report('seek')
    },
    /** The end was heard. Completion is told once a track, the position each time. */
    ends(): void {
      const isFirst = !ledger.isCompleted
      const { totalSec } = where()
      ledger = { ...afterReport(ledger, 0, performance.now()), listeningSinceMs: null, isCompleted: true }
      void reportProgress({ ...place('end', totalSec), completed: isFirst })
      isSounding = false
      if (!isFirst) return
      tell('audio_complete')
      tell('content_complete')
    },
    /** The bar was closed, or another track takes its place. */
    leaves(): void {
      report('close')
      tellPause()
    },
    /** The page is hidden, perhaps for good. */
    hides(): void {
      const { positionSec } = where()
      if (!shouldReport(ledger, positionSec)) return
      reportProgressLast(place('close', positionSec))
      ledger = afterReport(ledger, positionSec, performance.now())
    },
  }
}

function fractionOf({ positionSec, totalSec }: Where): number {
  return totalSec > 0 ? positionSec / totalSec : 0
}
