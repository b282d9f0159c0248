import { startOf } from '#islands/player/start-position'
import { samePlaceSeconds } from '#src/listening/rules'
import type { DevicePosition, ProgressWithPlaces } from '#src/listening/schema'

/** One of the positions to resume at. */
export type OfferedPlace = {
  seconds: number
  /** "on the phone", "here" */
  where: string
  /** ISO 8601 */
  at: string
  isLater: boolean
}

/**
 * The two positions to choose from, the later report first, where another device reported after this one and at
 * another position; null where they agree. A report of this device after the other's was a choice already, so no
 * second offer is made. `hereId` is this device, `durationSeconds` the length of the audio.
 */
export function offeredPlaces(
  progress: ProgressWithPlaces | null,
  hereId: string,
  durationSeconds: number,
): OfferedPlace[] {
  const here = progress?.places.find(({ deviceId }) => deviceId === hereId)
  const there = progress?.places.find(({ deviceId }) => deviceId !== hereId)
  if (!here || !there || here.updatedAt >= there.updatedAt) return []
  const places = [there, here].map((place) => ({
    seconds: secondsOf(place, durationSeconds),
    where: place === here ? 'here' : whereOf(there, here.device),
    at: place.updatedAt,
    isLater: place === there,
  }))
  const [first, second] = places
  if (!first || !second || Math.abs(first.seconds - second.seconds) < samePlaceSeconds) return []
  // A finished track begins at the start, and the start is offered beside the positions anyway.
  return places.filter(({ seconds }) => seconds > 0)
}

/**
 * The same for a player at `hereSeconds` while another device has moved the saved position: the reports of this device
 * are not relevant then.
 */
export function movedPlaces(
  progress: ProgressWithPlaces,
  hereId: string,
  { hereSeconds, durationSeconds }: { hereSeconds: number; durationSeconds: number },
): OfferedPlace[] {
  const there = progress.places.find(({ deviceId }) => deviceId !== hereId)
  const here = progress.places.find(({ deviceId }) => deviceId === hereId)
  const thereSeconds = startOf(progress, durationSeconds)
  if (Math.abs(thereSeconds - hereSeconds) < samePlaceSeconds) return []
  const { lastUpdatedAt } = progress
  const where = there ? whereOf(there, here?.device ?? null) : 'on another device'
  return [
    { seconds: thereSeconds, where, at: there?.updatedAt ?? lastUpdatedAt, isLater: true },
    { seconds: hereSeconds, where: 'here', at: here?.updatedAt ?? lastUpdatedAt, isLater: false },
  ].filter(({ seconds }) => seconds > 0)
}

function secondsOf({ positionSec, totalSec }: DevicePosition, durationSeconds: number): number {
  return startOf({ lastPositionSec: positionSec, totalSec }, durationSeconds)
}

function whereOf(there: DevicePosition, hereDevice: DevicePosition['device']): string {
  if (there.device === null) return 'on another device'
  return there.device === hereDevice ? `on another ${there.device}` : `on the ${there.device}`
}
