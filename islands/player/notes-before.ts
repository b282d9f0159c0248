import { keepStored, readStored } from '#islands/browser-storage'
import type { PlayRequest, Track } from '#islands/events'

/** When content notes are asked about before a sound: they always stand beside the item. */
export const notesChoices = ['never', 'first', 'always'] as const
export type NotesChoice = (typeof notesChoices)[number]

const choiceName = 'nocturne.notes'
const seenName = 'nocturne.notes-seen'
/** More than anyone plays; what was played longest ago is asked about again. */
const seenMax = 500

/** The choice of this browser, which may be lent to somebody. */
export function readNotesChoice(): NotesChoice {
  const stored = readStored('localStorage', choiceName)
  return notesChoices.find((each) => each === stored) ?? 'never'
}

export function keepNotesChoice(choice: NotesChoice): void {
  keepStored('localStorage', choiceName, choice === 'never' ? null : choice)
  if (choice === 'never') keepStored('localStorage', seenName, null)
}

/** The notes of a track, as far as it carries them. */
export function notesOf({ meta }: Track): string[] {
  const notes: unknown = 'contentNotes' in meta ? meta.contentNotes : []
  return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : []
}

/** Whether notes come first: not for what is loaded already, nor for what is only queued. */
export function isAskedBefore(
  { track, place }: PlayRequest,
  loadedId: string | null,
  choice: NotesChoice,
  seen: readonly string[],
): boolean {
  if (place || track.id === loadedId || choice === 'never' || notesOf(track).length === 0) return false
  return choice === 'always' || !seen.includes(track.id)
}

/** The tracks whose notes were passed in this browser, the latest last. */
export function readSeenNotes(): string[] {
  return readStored('localStorage', seenName)?.split(' ') ?? []
}

export function keepSeenNotes(trackId: string): void {
  const seen = [...readSeenNotes().filter((id) => id !== trackId), trackId]
  keepStored('localStorage', seenName, seen.slice(-seenMax).join(' '))
}
