import { emptyQueue, type Queue, type QueueEntry } from '#islands/player/queue'
import { playerQueue, setQueue } from '#islands/player/state'
import { isTrack } from '#islands/player/stored-track'
import { readStored, writeStored } from '#islands/runtime/browser-storage'

/** In sessionStorage, because the queue belongs to one tab. */
const storageName = 'nocturne.queue'

export function changeQueue(change: (queue: Queue) => Queue): void {
  const next = change(playerQueue())
  setQueue(next)
  const isEmpty = next.entries.length + next.played.length === 0
  writeStored('sessionStorage', storageName, isEmpty ? null : JSON.stringify(next))
}

export function restoreQueue(): void {
  setQueue(readQueue(readStored('sessionStorage', storageName)))
}

function readQueue(text: string | null): Queue {
  try {
    const { entries = [], played = [] }: { entries?: unknown[]; played?: unknown[] } = JSON.parse(
      text ?? '{}',
    )
    return { entries: entries.filter(isEntry), played: played.filter(isTrack) }
  } catch {
    return emptyQueue
  }
}

function isEntry(value: unknown): value is QueueEntry {
  return typeof value === 'object' && value !== null && 'track' in value && isTrack(value.track)
}
