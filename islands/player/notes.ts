import type { OfferedPlace } from '#islands/player/place-offer'
import { setNote } from '#islands/player/state'

/** What the bar has to say beside its controls: one thing at a time, the latest. */
export type PlayerNote =
  /** Two devices disagree. */
  | { type: 'places'; places: OfferedPlace[] }
  /** A long jump, and where it came from. */
  | { type: 'moved'; fromSec: number; toSec: number }
  /** Gone back a little after a pause. */
  | { type: 'rewound'; seconds: number }
  | { type: 'next'; title: string; secondsLeft: number }
  /** The sleep timer has ended. */
  | { type: 'slept' }

let forgetting: Timer | undefined

/** Says something, for `lifeMs` or until it is answered. */
export function say(note: PlayerNote | null, lifeMs?: number): void {
  clearTimeout(forgetting)
  setNote(note)
  if (lifeMs !== undefined) forgetting = setTimeout(() => setNote(null), lifeMs)
}
