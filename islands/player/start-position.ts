import { rescalePosition, startPosition } from '#src/listening/rules'
import type { Progress } from '#src/listening/schema'

/** Returns where playback of an item starts, in seconds of its audio. */
export function startOf(
  progress: Pick<Progress, 'lastPositionSec' | 'totalSec'> | null,
  durationSeconds: number,
): number {
  if (!progress) return 0
  const { lastPositionSec, totalSec } = progress
  return rescalePosition(startPosition(lastPositionSec, totalSec), totalSec, durationSeconds)
}
