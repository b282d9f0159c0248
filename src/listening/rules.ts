/** How positions are kept (product.md §3: "progress that cannot be lost"). Browser-safe and pure. */

/** The player reports at most this often while it plays (visitor.md §9). */
export const reportSecondsMin = 10
export const skipSeconds = 15
/** A jump farther than this can be undone: shorter ones are undone by the skips. */
export const undoSecondsMin = 30
export const milestonePercents = [25, 50, 75] as const
export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** The sleep timer's choices, what one more press adds, and how long it grows quieter before the end. */
export const timerMinutes = [5, 10, 15, 30, 45, 60] as const
export const timerExtendMinutes = 5
export const fadeSeconds = 20

/** Time to say no before the next item begins by itself. */
export const nextSeconds = 5
/** More than an evening of items; they travel in an address when the server is asked about them. */
export const queueMax = 30
/** So many come by themselves where the queue is shorter. */
export const similarMax = 10

/** What a device is to a person. */
export const deviceKinds = ['phone', 'tablet', 'computer'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** Places nearer to each other than this are one place: nobody is asked which. */
export const samePlaceSeconds = 15

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
 * What is kept after a report. Completion, once reached, stays. The position is that of the last real listening
 * or seek, by the times of the reporters (never later than `now`), in whatever order the reports arrive: late
 * and stale ones change nothing, and neither does a second one of the same number.
 */
export function nextPosition(stored: Position | null, report: Report, now: Date): Position {
  const totalSec = report.totalSec ?? stored?.totalSec ?? null
  const completed = report.completed || (stored?.completed ?? false)
  const { deviceId, sequence } = report
  const reportedAt = report.reportedAt < now ? report.reportedAt : now
  // A position and its total belong together: reading and listening have totals of their own.
  const kept = { ...(stored ?? neverHeard), totalSec: stored?.totalSec ?? totalSec, completed }
  if (isLate(kept, { deviceId, sequence, reportedAt })) return kept
  const positionSec = Math.max(
    0,
    totalSec === null ? report.positionSec : Math.min(report.positionSec, totalSec),
  )
  if (!isBare(report)) return { positionSec, totalSec, completed, deviceId, sequence, reportedAt }
  const moved = rescalePosition(positionSec, totalSec, kept.totalSec ?? 0)
  return { ...kept, positionSec: Math.max(kept.positionSec, moved) }
}

/** What a bare start is laid upon: anything that was really heard, whenever, is worth more. */
const neverHeard: Position = {
  positionSec: 0,
  totalSec: null,
  completed: false,
  deviceId: null,
  sequence: null,
  reportedAt: new Date(0),
}

type Numbered = Pick<Position, 'deviceId' | 'sequence' | 'reportedAt'>

/** One device counts its reports, so its clock may be set as it likes; between devices the times decide. */
function isLate(kept: Numbered, report: Numbered): boolean {
  if (kept.deviceId !== null && kept.deviceId === report.deviceId)
    if (kept.sequence !== null && report.sequence !== null) return report.sequence <= kept.sequence
  return report.reportedAt < kept.reportedAt
}

/**
 * Opening a player reports its start before it has been moved to where one stopped, and a player that could
 * not read the kept position says `play` of all it does. That moves a position on, never back, and leaves the
 * time and number of the last real listening: a late report of such listening still counts.
 */
export function isBare({ positionSec, reason }: Pick<Report, 'positionSec' | 'reason'>): boolean {
  return reason === 'play' || (reason !== 'seek' && positionSec < 1)
}

/** Where to begin: the kept position, or the start after an end. */
export function startPosition(positionSec: number, totalSec: number | null): number {
  return totalSec !== null && positionSec > totalSec - endSeconds ? 0 : positionSec
}

/** After a pause of so many seconds playing goes back so far: the longer it was, the more of the thread is lost. */
const rewinds = [
  { pausedSeconds: 24 * 3_600, backSeconds: 30 },
  { pausedSeconds: 3_600, backSeconds: 15 },
  { pausedSeconds: 5 * 60, backSeconds: 5 },
] as const

/** How far back, in seconds, after a pause. */
export function rewindSeconds(pausedMs: number): number {
  return rewinds.find(({ pausedSeconds }) => pausedMs >= pausedSeconds * 1_000)?.backSeconds ?? 0
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
