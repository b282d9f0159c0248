/** Rules of positions: which report replaces which, so that no real listening is lost. Browser-safe and pure. */

/** The player reports at most this often while it plays: a crash loses no more than ten seconds. */
export const reportSecondsMin = 10
/**
 * Reports of one address that are taken a minute: 200 listeners behind one, each every ten seconds, are 1,200, and what
 * they press comes on top. A flood of made-up listeners and devices is held to this.
 */
export const reportsPerMinuteMax = 1_500
/** Devices of a listener in an item, the latest: more than a person listens on. */
export const devicesMax = 10
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

/** The latest writer of a position. */
type Numbered = { deviceId: string | null; sequence: number | null; reportedAt: Date }

/**
 * Whether a report only says that a player began: its position is not of real listening. What that changes is said in
 * next-position.ts.
 */
export function isBare({
  positionSec,
  reason,
}: {
  positionSec: number
  reason: ProgressReason | null
}): boolean {
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
export const sameTotalSeconds = 2

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
