import { readStored, writeStored } from '#islands/runtime/browser-storage'
import type { PlayRequest } from '#islands/runtime/events'
import type { Track } from '#src/story/track-rules'

/** When content notes are shown before playback. Beside the item they are always shown. */
export const notesChoices = ['never', 'first', 'always'] as const
export type NotesChoice = (typeof notesChoices)[number]

const choiceName = 'nocturne.notes'
const seenName = 'nocturne.notes-seen'
/** More tracks than anyone plays. Beyond it, the notes of the track that was played longest ago are shown again. */
const seenMax = 500

/**
 * Returns the choice of this browser. It is not stored with the account, because the browser may be lent to someone
 * else.
 */
export function readNotesChoice(): NotesChoice {
  const stored = readStored('localStorage', choiceName)
  return notesChoices.find((each) => each === stored) ?? 'never'
}

export function storeNotesChoice(choice: NotesChoice): void {
  writeStored('localStorage', choiceName, choice === 'never' ? null : choice)
  if (choice === 'never') writeStored('localStorage', seenName, null)
}

/** Returns the content notes of a track, if its data include any. */
export function notesOf({ meta }: Track): string[] {
  const notes: unknown = 'contentNotes' in meta ? meta.contentNotes : []
  return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : []
}

/** Whether notes are shown before playback. They are not for the loaded track, nor for one that is only queued. */
export function needsNotes(
  { track, place }: PlayRequest,
  loadedId: string | null,
  choice: NotesChoice,
  seen: readonly string[],
): boolean {
  if (place || track.id === loadedId || choice === 'never' || notesOf(track).length === 0) return false
  return choice === 'always' || !seen.includes(track.id)
}

/** Returns the tracks whose notes were confirmed in this browser, the latest last. */
export function readSeenNotes(): string[] {
  return readStored('localStorage', seenName)?.split(' ') ?? []
}

export function storeSeenNotes(trackId: string): void {
  const seen = [...readSeenNotes().filter((id) => id !== trackId), trackId]
  writeStored('localStorage', seenName, seen.slice(-seenMax).join(' '))
}
