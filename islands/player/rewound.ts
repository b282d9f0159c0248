import { say } from '#islands/player/notes'
import { rewindSeconds } from '#src/listening/rules'

const shownMs = 6_000

/** Where to go on after a pause since `pausedAtMs`, a little further back the longer it was; said quietly. */
export function rewound(positionSec: number, pausedAtMs: number | null): number {
  if (pausedAtMs === null) return positionSec
  const backSec = Math.min(positionSec, rewindSeconds(Date.now() - pausedAtMs))
  if (backSec > 1) say({ type: 'rewound', seconds: Math.round(backSec) }, shownMs)
  return positionSec - backSec
}
