/** Rules that decide which report replaces which, so that no real listening is lost. Browser-safe and pure. */

/** Minimum interval of reports while the player plays: a crash loses no more than ten seconds. */
export const reportSecondsMin = 10
/**
 * Limit of reports from one address per minute. 200 listeners behind one address, each reporting every ten seconds,
 * send 1,200, and their actions come on top. The limit stops a flood of made-up listeners and devices.
 */
export const reportsPerMinuteMax = 1_500
/** How many devices of a listener in an item are retained, the latest; more than a person listens on. */
export const devicesMax = 10
export const skipSeconds = 15
/** A longer jump can be undone; for shorter ones there are the skip buttons. */
export const undoSecondsMin = 30
export const milestonePercents = [25, 50, 75] as const
export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** The sleep timer: its choices, what one more press adds, and how long the volume fades before the end. */
export const timerMinutes = [5, 10, 15, 30, 45, 60] as const
export const timerExtendMinutes = 5
export const fadeSeconds = 20

/** Time in which the listener can cancel before the next item starts. */
export const nextSeconds = 5
/**
 * How many items of each kind a request to the server names, since they are part of an address. The queue itself has no
 * such limit.
 */
export const queueAskedMax = 30
/** How many items are suggested if the queue is shorter. */
export const similarMax = 10

/** The kinds of devices. */
export const deviceKinds = ['phone', 'tablet', 'computer'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** Two positions closer to each other than this count as one, so no choice is offered. */
export const samePlaceSeconds = 15

/** Thresholds of the reader: when it reports, and when a text counts as read (docs/behaviour/reading.md). */
export const readReportSeconds = 5
export const readReportPoints = 10
export const readCompletePercent = 90
export const readCloseReportSeconds = 30
export const readFitsPixels = 5

/** Closer to the end than this, playback begins at the start again. */
const endSeconds = 5

export const progressReasons = ['play', 'seek', 'pause', 'end', 'close'] as const
export type ProgressReason = (typeof progressReasons)[number]

/** The version of an item without real listening. */
export const noVersion = ''

/** The version of a position. It changes with every accepted listening or seek, and with nothing else. */
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
 * Whether a report only means that a player was opened, so its position is not one of real listening. See
 * next-position.ts for what it changes.
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

/** The position at which playback begins: the saved one, or the start if the saved one is at the end. */
export function startPosition(positionSec: number, totalSec: number | null): number {
  return totalSec !== null && positionSec > totalSec - endSeconds ? 0 : positionSec
}

/** How far to rewind after pauses: the longer the pause, the further. */
const rewinds = [
  { pausedSeconds: 24 * 3_600, backSeconds: 30 },
  { pausedSeconds: 3_600, backSeconds: 15 },
  { pausedSeconds: 5 * 60, backSeconds: 5 },
] as const

/** The rewind after a pause, in seconds. */
export function rewindSeconds(pausedMs: number): number {
  return rewinds.find(({ pausedSeconds }) => pausedMs >= pausedSeconds * 1_000)?.backSeconds ?? 0
}

/** Measured lengths of one recording differ by a few frames; reading and listening times differ by minutes. */
export const sameTotalSeconds = 2

/** Whether two lengths are of the same recording. */
export function isSameTotal(totalSec: number, otherTotalSeconds: number): boolean {
  return Math.abs(totalSec - otherTotalSeconds) <= sameTotalSeconds
}

/**
 * Converts a position to seconds of another total. Reading and listening share one position, in seconds of whichever
 * reported last. If a total is unknown, the seconds stay as they are.
 */
export function rescalePosition(
  positionSec: number,
  totalSec: number | null,
  otherTotalSeconds: number,
): number {
  if (!totalSec || otherTotalSeconds <= 0 || isSameTotal(totalSec, otherTotalSeconds)) return positionSec
  return (positionSec / totalSec) * otherTotalSeconds
}
