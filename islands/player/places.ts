import { deviceId } from '#islands/device-id'
import type { Track } from '#islands/events'
import { findKeptProgress } from '#islands/player/kept-progress'
import { say } from '#islands/player/notes'
import { offeredPlaces } from '#islands/player/place-offer'
import { playerState } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import type { ProgressWithPlaces } from '#src/listening/schema'

/**
 * Offers both places where two devices disagree. Without an answer it goes on from the kept one, which is
 * where the person heard something last, on whichever device: that is what is still in the ear, and the
 * other is a press away. Nothing moves by itself afterwards.
 */
export function askForPlace(kept: ProgressWithPlaces | null, durationSec: number): void {
  const places = offeredPlaces(kept, deviceId(), durationSec)
  if (places.length > 0) say({ type: 'places', places })
}

/** The same for a tab that was silent for a while: it goes on where it stood, since it was asked to. */
export async function comparePlaces(track: Track | null, durationSec: number): Promise<void> {
  const content = track && contentOf(track)
  const kept = content && (await findKeptProgress(content))
  if (kept && playerState().currentTrack?.id === track?.id) askForPlace(kept, durationSec)
}
