import { showNote } from '#islands/player/notes'
import { rewindSeconds } from '#src/listening/rules'

const shownMs = 6_000

/**
 * Returns where to resume after a pause since `pausedAtMs`: the longer the pause, the further back. Shows a note about
 * it.
 */
export function rewound(positionSec: number, pausedAtMs: number | null): number {
  if (pausedAtMs === null) return positionSec
  const backSeconds = Math.min(positionSec, rewindSeconds(Date.now() - pausedAtMs))
  if (backSeconds > 1) showNote({ type: 'rewound', seconds: Math.round(backSeconds) }, shownMs)
  return positionSec - backSeconds
}
