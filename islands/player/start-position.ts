import { startPosition } from '#src/listening/rules'
import type { Progress } from '#src/listening/schema'

/**
 * Where playback of an item begins, in seconds of the audio. Reading and listening share one position: one
 * kept in another total (reading minutes) counts as the same part of the whole.
 */
export function startOf(
  progress: Pick<Progress, 'lastPositionSec' | 'totalSec'> | null,
  durationSec: number,
): number {
  if (!progress) return 0
  const { lastPositionSec, totalSec } = progress
  const start = startPosition(lastPositionSec, totalSec)
  if (!totalSec || durationSec <= 0 || Math.abs(totalSec - durationSec) <= sameTotalSeconds) return start
  return (start / totalSec) * durationSec
}

/** Measured lengths of one recording differ by frames, reading and listening times by minutes. */
const sameTotalSeconds = 2
