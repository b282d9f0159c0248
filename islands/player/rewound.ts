import { showNote } from '#islands/player/notes'
import { rewindSeconds } from '#src/listening/rules'

const shownMs = 6_000

/** Where to resume after a pause since `pausedAtMs`, further back the longer it was; shown in a note. */
export function rewound(positionSec: number, pausedAtMs: number | null): number {
  if (pausedAtMs === null) return positionSec
  const backSeconds = Math.min(positionSec, rewindSeconds(Date.now() - pausedAtMs))
  if (backSeconds > 1) showNote({ type: 'rewound', seconds: Math.round(backSeconds) }, shownMs)
  return positionSec - backSeconds
}
