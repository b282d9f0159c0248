import { listNewMilestones, type Milestone } from '#islands/listening/milestones'
import { reportProgress, reportProgressLast } from '#islands/listening/report-progress'
import { type AnalyticsEvent, type DataLayerEvent, track as trackEvent } from '#islands/listening/track-event'
import {
  afterReport,
  isDue,
  type Ledger,
  openLedger,
  reasonToLeave,
  reasonToSend,
  shouldReport,
} from '#islands/player/ledger'
import type { TrackContent } from '#islands/player/track-content'
import type { ProgressReason } from '#src/listening/rules'
import type { Progress } from '#src/listening/schema'
import type { Track } from '#src/story/track-rules'

/** The player's position in seconds. A total of 0 means that it is not known yet. */
type Where = { positionSec: number; totalSec: number }

/** The version that reports are based on, whether they are on hold, and who receives the server's responses to them. */
type Reporting = {
  basedOn(): string | undefined
  isHeld(): boolean
  onSaved(progress: Progress): Promise<void>
}

export type Listening = ReturnType<typeof startListening>

type ListeningStart = {
  content: TrackContent
  track: Track
  /** `isStartKnown`: the saved position was read, or a position was chosen. */
  start: { startSeconds: number; isStartKnown: boolean }
  where: () => Where
  reporting: Reporting
}

/**
 * Tracks and reports one playback of one track: positions to the server; plays, pauses, milestones and the end to
 * analytics.
 */
export function startListening({ content, track, start, where, reporting }: ListeningStart) {
  const { contentId, contentType } = content
  const { title, voice } = track
  const { startSeconds, isStartKnown } = start
  let ledger: Ledger = openLedger(startSeconds, { isStartKnown })
  let reached: Milestone[] = listNewMilestones(fractionOf({ ...where(), positionSec: startSeconds }), [])
  let sound: 'none yet' | 'heard' | 'paused' = 'none yet'

  function emitTrackEvent(eventType: AnalyticsEvent | DataLayerEvent, data: { percent?: number } = {}): void {
    const { positionSec, totalSec } = where()
    trackEvent(eventType, { contentId, contentType, positionSec, totalSec, data: { title, voice, ...data } })
  }

  function place(reason: ProgressReason | null, positionSec: number) {
    return {
      ...{ contentId, contentType, lastPositionSec: positionSec, totalSec: where().totalSec || null },
      ...{ completed: false, basedOn: reporting.basedOn() },
      reason: reasonToSend(ledger, reason) ?? undefined,
    }
  }

  /** Reports the position. A report that cannot be sent is stored in the browser (report-progress.ts). */
  function report(reason: ProgressReason | null, send = deliver): void {
    const { positionSec } = where()
    if (reporting.isHeld() || !shouldReport(ledger, positionSec, reason)) return
    send(place(reason, positionSec))
    ledger = afterReport(ledger, positionSec, performance.now())
  }

  function deliver(position: ReturnType<typeof place>): void {
    void reportProgress(position).then((progress) => progress && reporting.onSaved(progress))
  }

  function trackPause(): void {
    if (sound !== 'heard') return
    sound = 'paused'
    emitTrackEvent('audio_pause')
    emitTrackEvent('content_pause')
  }

  return {
    /** Playback has started: for the first time, after a pause, or after buffering. */
    onPlaying(): void {
      ledger = { ...ledger, listeningSinceMs: ledger.listeningSinceMs ?? performance.now() }
      if (sound === 'heard') return
      sound = 'heard'
      emitTrackEvent('audio_play')
      emitTrackEvent('content_play')
    },
    /** Paused by the person or by a failure. */
    onPause(): void {
      ledger = { ...ledger, listeningSinceMs: null }
      report('pause')
      trackPause()
    },
    /** The position has advanced through playback, or the clock of a paused sound has been corrected. */
    onTimeUpdate(): void {
      if (sound === 'paused') report('pause')
      const passed = listNewMilestones(fractionOf(where()), reached)
      reached = [...reached, ...passed]
      for (const percent of passed) emitTrackEvent('content_milestone', { percent })
      if (!isDue(ledger, performance.now())) return
      report(null)
      emitTrackEvent('audio_progress')
    },
    /** The rewind after a pause. It is not reported by itself; playback from there is. */
    onRewind(positionSec: number): void {
      ledger = { ...ledger, reportedSeconds: positionSec }
    },
    /** From here until `onSeeked` nothing is reported, unless the listener leaves. */
    onSeeking(seeking: 'drag' | 'jump'): void {
      ledger = { ...ledger, seeking }
    },
    onSeeked(): void {
      if (ledger.seeking === null) return
      ledger = { ...ledger, seeking: null }
      report('seek')
    },
    /** Playback has reached the end. Completion is reported once per track, the position every time. */
    onEnded(): void {
      const isFirst = !ledger.isCompleted
      const { totalSec } = where()
      ledger = { ...afterReport(ledger, 0, performance.now()), listeningSinceMs: null, isCompleted: true }
      void reportProgress({ ...place('end', totalSec), completed: isFirst })
      sound = 'none yet'
      if (!isFirst) return
      emitTrackEvent('audio_complete')
      emitTrackEvent('content_complete')
    },
    /** The bar was closed, or another track replaces this one. */
    onClose(): void {
      report(reasonToLeave(ledger))
      trackPause()
    },
    /** The page is hidden, perhaps for good. */
    onHide(): void {
      report(reasonToLeave(ledger), reportProgressLast)
    },
  }
}

function fractionOf({ positionSec, totalSec }: Where): number {
  return totalSec > 0 ? positionSec / totalSec : 0
}
