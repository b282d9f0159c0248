/** How positions are kept (product.md §3: "progress that cannot be lost"). Browser-safe and pure. */

/** The player reports at most this often while it plays (visitor.md §9). */
export const reportSecondsMin = 10
export const skipSeconds = 15
export const milestonePercents = [25, 50, 75] as const
export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** The reader's numbers (visitor.md §9). */
export const readReportSeconds = 5
export const readReportPoints = 10
export const readCompletePercent = 90
export const readCloseReportSeconds = 30
export const readFitsPixels = 5

/** Nearer to the end than this, listening begins again at the start. */
export const endSeconds = 5

export const progressReasons = ['play', 'seek', 'pause', 'end', 'close'] as const
export type ProgressReason = (typeof progressReasons)[number]

export type Position = {
  positionSec: number
  totalSec: number | null
  completed: boolean
  deviceId: string | null
  sequence: number | null
  reportedAt: Date
}

export type Report = {
  positionSec: number
  totalSec: number | null
  completed: boolean
  deviceId: string | null
  sequence: number | null
  reason: ProgressReason | null
  reportedAt: Date
}

/**
 * What is kept after a report: the stored position is left where the report is late, stale or a bare start;
 * completion, once reached, stays. Times are the reporter's, never later than `now`.
 */
export function nextPosition(stored: Position | null, report: Report, now: Date): Position {
  const totalSec = report.totalSec ?? stored?.totalSec ?? null
  const reported: Position = {
    positionSec: Math.max(0, totalSec === null ? report.positionSec : Math.min(report.positionSec, totalSec)),
    totalSec,
    completed: report.completed || (stored?.completed ?? false),
    deviceId: report.deviceId,
    sequence: report.sequence,
    reportedAt: report.reportedAt < now ? report.reportedAt : now,
  }
  if (!stored || movesPosition(stored, reported, report.reason)) return reported
  return { ...stored, completed: reported.completed, totalSec }
}

function movesPosition(stored: Position, reported: Position, reason: ProgressReason | null): boolean {
  const isSamePlayback =
    stored.deviceId !== null &&
    stored.deviceId === reported.deviceId &&
    stored.sequence !== null &&
    reported.sequence !== null
  if (
    isSamePlayback
      ? (reported.sequence ?? 0) <= (stored.sequence ?? 0)
      : reported.reportedAt < stored.reportedAt
  )
    return false
  if (reason === 'seek') return true
  // Opening a player reports its start before it has been moved to where one stopped.
  const isBareStart = reported.positionSec < 1 || reason === 'play'
  return !(isBareStart && reported.positionSec < stored.positionSec)
}

/** Where to begin: the kept position, or the start after an end. */
export function startPosition(positionSec: number, totalSec: number | null): number {
  return totalSec !== null && positionSec > totalSec - endSeconds ? 0 : positionSec
}

/** Measured lengths of one recording differ by frames, reading and listening times by minutes. */
const sameTotalSeconds = 2

/** Whether two lengths are those of one recording. */
export function isSameTotal(totalSec: number, otherTotalSec: number): boolean {
  return Math.abs(totalSec - otherTotalSec) <= sameTotalSeconds
}

/**
 * A position as seconds of another total: reading and listening share one, kept in seconds of whichever came
 * last. Where a total is not known the seconds stay as they are.
 */
export function rescalePosition(positionSec: number, totalSec: number | null, otherTotalSec: number): number {
  if (!totalSec || otherTotalSec <= 0 || isSameTotal(totalSec, otherTotalSec)) return positionSec
  return (positionSec / totalSec) * otherTotalSec
}

/** 764 → "12:44": minutes and seconds, as the player shows them. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
