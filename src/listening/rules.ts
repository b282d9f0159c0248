/** Rules of positions: which report replaces which, so that no real listening is lost. Browser-safe and pure. */

/** The player reports at most this often while it plays: a crash loses no more than ten seconds. */
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

/** Time to cancel before the next item begins automatically. */
export const nextSeconds = 5
/** The queue holds all of its items; the server is asked about so many of each kind, which are part of an address. */
export const queueAskedMax = 30
/** The number of suggested items where the queue is shorter. */
export const similarMax = 10

/** The kind of a device. */
export const deviceKinds = ['phone', 'tablet', 'computer'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** Two positions nearer to each other than this count as one: no choice is offered. */
export const samePlaceSeconds = 15

/** Thresholds of the reader: when it reports, and when a text counts as read (docs/behaviour/reading.md). */
export const readReportSeconds = 5
export const readReportPoints = 10
export const readCompletePercent = 90
export const readCloseReportSeconds = 30
export const readFitsPixels = 5

/** Nearer to the end than this, listening begins again at the start. */
const endSeconds = 5

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

export type PositionReport = {
  positionSec: number
  totalSec: number | null
  completed: boolean
  deviceId: string | null
  sequence: number | null
  reason: ProgressReason | null
  reportedAt: Date
  /** The version that the device had read when it reported; null where the report has none. */
  basedOn: string | null
}

/** Of an item without real listening yet. */
export const noVersion = ''

/** Version of a position: it changes with every accepted real listening or seek, and with nothing else. */
export function versionOf(position: Numbered | null): string {
  if (!position || position.reportedAt.getTime() === 0) return noVersion
  const { deviceId, sequence, reportedAt } = position
  return `${deviceId ?? ''}/${sequence ?? reportedAt.getTime()}`
}

/** Whether another device has moved the position since the version that the reporter has read. */
export function isMovedElsewhere(version: string, seen: string, deviceId: string): boolean {
  return version !== seen && version !== noVersion && !version.startsWith(`${deviceId}/`)
}

/**
 * The position after a report. Completion stays once reached. The position is that of the last real listening or seek,
 * by the reporters' times (never later than `now`), in whatever order reports arrive: late and stale reports change
 * nothing, and neither does a second one of the same number.
 */
export function nextPosition(stored: Position | null, report: PositionReport, now: Date): Position {
  const totalSec = report.totalSec ?? stored?.totalSec ?? null
  const completed = report.completed || (stored?.completed ?? false)
  const { deviceId, sequence, basedOn } = report
  const reportTime = report.reportedAt < now ? report.reportedAt : now
  // A position and its total belong together: reading and listening have totals of their own.
  const unchanged = { ...(stored ?? neverHeard), totalSec: stored?.totalSec ?? totalSec, completed }
  if (isLate(unchanged, { deviceId, sequence, reportedAt: reportTime, basedOn })) return unchanged
  // An earlier report is older, whatever the two clocks say.
  const reportedAt = new Date(Math.max(reportTime.getTime(), unchanged.reportedAt.getTime()))
  const positionSec = Math.max(
    0,
    totalSec === null ? report.positionSec : Math.min(report.positionSec, totalSec),
  )
  if (!isBare(report)) return { positionSec, totalSec, completed, deviceId, sequence, reportedAt }
  const moved = rescalePosition(positionSec, totalSec, unchanged.totalSec ?? 0)
  return { ...unchanged, positionSec: Math.max(unchanged.positionSec, moved) }
}

/** The base of a start without a saved position: any report of real listening wins over it, however old. */
const neverHeard: Position = {
  positionSec: 0,
  totalSec: null,
  completed: false,
  deviceId: null,
  sequence: null,
  reportedAt: new Date(0),
}

type Numbered = Pick<Position, 'deviceId' | 'sequence' | 'reportedAt'>

/**
 * One device numbers its reports, so its clock may be wrong. Of two devices the one that had read the other's
 * position is the later; where a report has no version, the times decide.
 */
function isLate(stored: Numbered, report: Numbered & Pick<PositionReport, 'basedOn'>): boolean {
  if (stored.deviceId !== null && stored.deviceId === report.deviceId)
    if (stored.sequence !== null && report.sequence !== null) return report.sequence <= stored.sequence
  if (report.basedOn !== null) return report.basedOn !== versionOf(stored)
  return report.reportedAt < stored.reportedAt
}

/**
 * Opening a player reports its start before it has sought to the saved position, and a player that could not read the
 * saved position reports everything as `play`. That moves a position forward, never back, and leaves the time and
 * number of the last real listening: a late report of such listening still counts.
 */
export function isBare({ positionSec, reason }: Pick<PositionReport, 'positionSec' | 'reason'>): boolean {
  return reason === 'play' || (reason !== 'seek' && positionSec < 1)
}

/** Where to begin: the saved position, or the start after an end. */
export function startPosition(positionSec: number, totalSec: number | null): number {
  return totalSec !== null && positionSec > totalSec - endSeconds ? 0 : positionSec
}

/** The rewind after a pause of so many seconds: the longer the pause, the further back. */
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
export function isSameTotal(totalSec: number, otherTotalSeconds: number): boolean {
  return Math.abs(totalSec - otherTotalSeconds) <= sameTotalSeconds
}

/**
 * A position as seconds of another total: reading and listening share one, stored in seconds of whichever came
 * last. Where a total is not known the seconds stay as they are.
 */
export function rescalePosition(
  positionSec: number,
  totalSec: number | null,
  otherTotalSeconds: number,
): number {
  if (!totalSec || otherTotalSeconds <= 0 || isSameTotal(totalSec, otherTotalSeconds)) return positionSec
  return (positionSec / totalSec) * otherTotalSeconds
}
