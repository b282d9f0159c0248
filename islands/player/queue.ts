import { queueAskedMax } from '#src/listening/rules'
import type { Track } from '#src/story/track-rules'

/** A track to play next: chosen by hand, or taken from the list around the played card. */
export type QueueEntry = { track: Track; isChosen: boolean }
export type Queue = {
  entries: QueueEntry[]
  /**
   * Tracks that were played before, the latest last. "Previous" returns to them, and they are not added again
   * automatically.
   */
  played: Track[]
}

export const emptyQueue: Queue = { entries: [], played: [] }
const playedMax = 20

/** Adds a track right after the one that plays. */
export function addNext(queue: Queue, track: Track): Queue {
  return { ...queue, entries: [{ track, isChosen: true }, ...without(queue.entries, track)] }
}

/** Adds a track after all those chosen by hand, before those from the surrounding list. */
export function addLast(queue: Queue, track: Track): Queue {
  const rest = without(queue.entries, track)
  const at = rest.findLastIndex(({ isChosen }) => isChosen) + 1
  return { ...queue, entries: rest.toSpliced(at, 0, { track, isChosen: true }) }
}

/** Moves a track one place up (-1) or down (1). It then counts as chosen by hand, and so do all before it. */
export function moveEntry(queue: Queue, trackId: string, by: -1 | 1): Queue {
  const from = queue.entries.findIndex(({ track }) => track.id === trackId)
  const moved = queue.entries[from]
  const to = from + by
  if (!moved || to < 0 || to >= queue.entries.length) return queue
  const entries = queue.entries.toSpliced(from, 1).toSpliced(to, 0, moved)
  return { ...queue, entries: entries.map((each, at) => (at <= to ? { ...each, isChosen: true } : each)) }
}

export function removeEntry(queue: Queue, trackId: string): Queue {
  return { ...queue, entries: queue.entries.filter(({ track }) => track.id !== trackId) }
}

/**
 * Returns the queue when a track starts. `around` is the rest of the list that it was played from. It is null if the
 * track came out of the queue: then the entries before the track are dropped.
 */
export function beginTrack(queue: Queue, before: Track | null, track: Track, around: Track[] | null): Queue {
  const at = queue.entries.findIndex((each) => each.track.id === track.id)
  const chosen = queue.entries.filter((each) => each.isChosen && each.track.id !== track.id)
  const entries =
    around === null
      ? queue.entries.slice(at + 1)
      : [
          ...chosen,
          ...around.filter(isFirstOf(track, chosen)).map((each) => ({ track: each, isChosen: false })),
        ]
  const played =
    before && before.id !== track.id
      ? [...queue.played.filter(({ id }) => id !== before.id), before].slice(-playedMax)
      : queue.played
  return { entries, played }
}

/** Returns the queue after going back to the previous item: the current one becomes the first entry. */
export function stepBack(queue: Queue, current: Track): Queue {
  const entries = [{ track: current, isChosen: true }, ...without(queue.entries, current)]
  return { entries, played: queue.played.slice(0, -1) }
}

/** Returns the first tracks of the queue that the server is asked about, either those chosen by hand or the others. */
export function listAsked({ entries }: Queue, which: 'chosen' | 'around'): Track[] {
  return entries
    .filter(({ isChosen }) => isChosen === (which === 'chosen'))
    .slice(0, queueAskedMax)
    .map(({ track }) => track)
}

/**
 * Applies the server's list of tracks that may follow. Tracks that were `asked` about and are not in it are removed;
 * new ones are appended, except to a queue that was cleared meanwhile. The other entries stay until they are asked
 * about, and what the person has removed meanwhile stays removed.
 */
export function applyServerList(
  queue: Queue,
  asked: ReadonlySet<string>,
  mayFollow: readonly Track[],
): Queue {
  const isCleared = asked.size > 0 && !queue.entries.some(({ track }) => asked.has(track.id))
  const known = queue.entries.filter(
    ({ track }) => !asked.has(track.id) || mayFollow.some(({ id }) => id === track.id),
  )
  const isNew = (track: Track) => !isCleared && !asked.has(track.id) && !has(known, track)
  const added = mayFollow.filter(isNew).map((track) => ({ track, isChosen: false }))
  return { ...queue, entries: [...known, ...added] }
}

/** Keeps each track once, without the current one and those queued already. */
function isFirstOf(playing: Track, chosen: readonly QueueEntry[]) {
  return (each: Track, at: number, all: readonly Track[]) =>
    each.id !== playing.id && !has(chosen, each) && all.findIndex(({ id }) => id === each.id) === at
}

function without(entries: readonly QueueEntry[], { id }: Track): QueueEntry[] {
  return entries.filter(({ track }) => track.id !== id)
}

function has(entries: readonly QueueEntry[], { id }: Track): boolean {
  return entries.some(({ track }) => track.id === id)
}
