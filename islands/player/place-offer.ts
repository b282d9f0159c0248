import { startOf } from '#islands/player/start-position'
import { samePlaceSeconds } from '#src/listening/rules'
import type { Place, ProgressWithPlaces } from '#src/listening/schema'

/** One of the places to go on from. */
export type OfferedPlace = {
  seconds: number
  /** "on the phone", "here" */
  where: string
  /** ISO 8601 */
  at: string
  isLater: boolean
}

/**
 * The two places to choose from where another device spoke after this one did and stood elsewhere, the later
 * word first; none where they agree. What this device reported after the other was a choice already: nobody
 * is asked twice. `hereId` is this device, `durationSec` the length of the audio.
 */
export function offeredPlaces(
  progress: ProgressWithPlaces | null,
  hereId: string,
  durationSec: number,
): OfferedPlace[] {
  const here = progress?.places.find(({ deviceId }) => deviceId === hereId)
  const there = progress?.places.find(({ deviceId }) => deviceId !== hereId)
  if (!here || !there || here.updatedAt >= there.updatedAt) return []
  const places = [there, here].map((place) => ({
    seconds: secondsOf(place, durationSec),
    where: place === here ? 'here' : whereOf(there, here),
    at: place.updatedAt,
    isLater: place === there,
  }))
  const [first, second] = places
  if (!first || !second || Math.abs(first.seconds - second.seconds) < samePlaceSeconds) return []
  // What has ended begins anew, and that stands beside the places anyway.
  return places.filter(({ seconds }) => seconds > 0)
}

function secondsOf({ positionSec, totalSec }: Place, durationSec: number): number {
  return startOf({ lastPositionSec: positionSec, totalSec }, durationSec)
}

function whereOf(there: Place, here: Place): string {
  if (there.device === null) return 'on another device'
  return there.device === here.device ? `on another ${there.device}` : `on the ${there.device}`
}
