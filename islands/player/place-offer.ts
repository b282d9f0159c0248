import { startOf } from '#islands/player/start-position'
import { samePlaceSeconds } from '#src/listening/rules'
import type { DevicePosition, ProgressWithPlaces } from '#src/listening/schema'

/** A position to resume at. */
export type OfferedPlace = {
  seconds: number
  /** "on the phone", "here" */
  where: string
  /** ISO 8601 */
  at: string
  isLater: boolean
}

/**
 * Returns the two positions to choose from, the later report first, if another device reported after this one and at
 * another position; otherwise an empty list. If this device has reported last, the person has already chosen, and is
 * not asked again. `hereId` is this device, `durationSeconds` the length of the audio.
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
  // A finished track resumes at 0, which is offered as "From the beginning" anyway.
  return places.filter(({ seconds }) => seconds > 0)
}

/**
 * Like `offeredPlaces`, for a player at `hereSeconds` when another device has moved the saved position. This device's
 * position is then the player's, not the one that it last reported.
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
