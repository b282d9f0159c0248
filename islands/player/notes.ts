import { type PlayerNote, playerNote, setNote } from '#islands/player/state'

let forgetting: Timer | undefined

/** Shows a note for `lifeMs` milliseconds, or without it until the person responds. */
export function showNote(note: PlayerNote | null, lifeMs?: number): void {
  clearTimeout(forgetting)
  setNote(note)
  if (lifeMs !== undefined) forgetting = setTimeout(() => setNote(null), lifeMs)
}

/** Hides the note if it is of this type. */
export function hideNote(type: PlayerNote['type']): void {
  if (playerNote()?.type === type) showNote(null)
}
