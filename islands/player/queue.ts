import { queueAskedMax } from '#src/listening/rules'
import type { Track } from '#src/story/track-rules'

/** The next tracks: those chosen by hand, and those around the played card. */
export type QueueEntry = { track: Track; isChosen: boolean }
export type Queue = {
  entries: QueueEntry[]
  /** Tracks heard before, the latest last: where Back leads, and what is not added again by itself. */
  played: Track[]
}

export const emptyQueue: Queue = { entries: [], played: [] }
const playedMax = 20

/** Right after what plays. */
export function addNext(queue: Queue, track: Track): Queue {
  return { ...queue, entries: [{ track, isChosen: true }, ...without(queue.entries, track)] }
}

/** After all tracks that were queued by hand, before those from the surrounding list. */
export function addLast(queue: Queue, track: Track): Queue {
  const rest = without(queue.entries, track)
  const at = rest.findLastIndex(({ isChosen }) => isChosen) + 1
  return { ...queue, entries: rest.toSpliced(at, 0, { track, isChosen: true }) }
}

/** One place up (-1) or down (1). A track moved by hand counts as queued by hand, and so do all before it. */
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
 * A track begins. `around` is the list it was played from, from there on; null where it came out of the queue: then
 * the entries before it are dropped.
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

/** Back to the item before: the current one is first in the queue again. */
export function stepBack(queue: Queue, current: Track): Queue {
  const entries = [{ track: current, isChosen: true }, ...without(queue.entries, current)]
  return { entries, played: queue.played.slice(0, -1) }
}

/** The first tracks of a queue, of those chosen by hand or of the others: the server is asked about these. */
export function listAsked({ entries }: Queue, which: 'chosen' | 'around'): Track[] {
  return entries
    .filter(({ isChosen }) => isChosen === (which === 'chosen'))
    .slice(0, queueAskedMax)
    .map(({ track }) => track)
}

/**
 * Applies the server's list of the tracks that may follow: those of the `asked` ones that it omits are removed, tracks
 * that it adds are appended. The others stay until it is their turn to be asked about.
 */
export function applyServerList(
  queue: Queue,
  asked: ReadonlySet<string>,
  mayFollow: readonly Track[],
): Queue {
  const known = queue.entries.filter(
    ({ track }) => !asked.has(track.id) || mayFollow.some(({ id }) => id === track.id),
  )
  const added = mayFollow.filter((track) => !has(known, track)).map((track) => ({ track, isChosen: false }))
  return { ...queue, entries: [...known, ...added] }
}

/** Each once, without the current track and those queued already. */
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
