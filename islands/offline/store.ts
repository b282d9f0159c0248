import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Track } from '#islands/events'
import { keptDays, nextCopyPiece } from '#src/offline/rules'
import type { Item } from '#src/story/schema'
import type { TrackItem } from '#src/story/track'

/** What the server has of an item, as it was fetched. */
export type KeptCopy = {
  item: Item
  track: Track & { meta: TrackItem }
  /** The answer of the timings' call; null where there was none. */
  timings: object | null
  /** Null for a text that nobody speaks. */
  audio: KeptAudio | null
  /** As the server names it. */
  version?: string
}

/** One item as a browser keeps it for one member. */
export type KeptItem = KeptCopy & {
  owner: string
  id: string
  /** What is to take the place of this copy, on its way. */
  next?: KeptCopy
  /** Where the pieces of the copy before begin: somebody may be hearing them still. */
  oldPiece?: number
  /** It is whole: until then it can be gone on with, and nothing is served of it. */
  isWhole: boolean
  keptAt: number
  /** Milliseconds of the clock: the server has said yes until then. */
  allowedUntil: number
}
export type KeptAudio = {
  voice: string
  type: string
  etag: string
  sizeBytes: number
  haveBytes: number
  /** Its first piece is kept under this number. */
  firstPiece?: number
}

interface Schema extends DBSchema {
  items: { key: [owner: string, id: string]; value: KeptItem }
  pieces: { key: [owner: string, id: string, at: number]; value: ArrayBuffer }
  state: { key: 'owner' | 'askedAt' | 'hasPin' | 'isDiscreet'; value: string | number | boolean }
}

let opened: Promise<IDBPDatabase<Schema>> | null = null

/** Items and their audio in pieces: pages write, the worker reads. All of it is under the member's name. */
export function openStore(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('nocturne', 1, {
    upgrade(db) {
      db.createObjectStore('items', { keyPath: ['owner', 'id'] })
      db.createObjectStore('pieces')
      db.createObjectStore('state')
    },
    // Somebody deletes or renews it: do not stand in the way.
    blocking: (_current, _blocked, event) => {
      opened = null
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => {
      opened = null
    },
  }).catch((error) => {
    opened = null
    throw error
  })
  return opened
}

/** The item, if it is whole and still allowed. */
export async function findKept(owner: string, id: string): Promise<KeptItem | null> {
  if (!owner) return null
  const kept = await (await openStore()).get('items', [owner, id])
  return kept?.isWhole && kept.allowedUntil > Date.now() ? kept : null
}

/** All of a member's, also what is on its way, the newest first. What is no longer allowed is deleted. */
export async function listKept(owner: string): Promise<KeptItem[]> {
  if (!owner) return []
  const kept = await (await openStore()).getAll('items', within(owner))
  const expired = kept.filter(({ allowedUntil }) => allowedUntil <= Date.now())
  for (const { id } of expired) await removeKept(owner, id)
  return kept.filter((each) => !expired.includes(each)).sort((a, b) => b.keptAt - a.keptAt)
}

/** Changes an item that is there; false where it was removed meanwhile, here or in another tab. */
export async function changeKept(
  { owner, id }: Pick<KeptItem, 'owner' | 'id'>,
  change: (kept: KeptItem) => KeptItem,
): Promise<boolean> {
  const tx = (await openStore()).transaction('items', 'readwrite')
  const kept = await tx.store.get([owner, id])
  if (kept) await tx.store.put(change(kept))
  await tx.done
  return kept !== undefined
}

export async function removeKept(owner: string, id: string): Promise<void> {
  const tx = (await openStore()).transaction(['items', 'pieces'], 'readwrite')
  await Promise.all([
    tx.objectStore('items').delete([owner, id]),
    tx.objectStore('pieces').delete(piecesOf(owner, id)),
    tx.done,
  ])
}

/** Whose browser it is from now on. What belongs to anyone else is deleted; empty: everything. */
export async function changeOwner(owner: string): Promise<void> {
  const tx = (await openStore()).transaction(['items', 'pieces', 'state'], 'readwrite')
  await tx.objectStore('state').put(owner, 'owner')
  for (const name of ['items', 'pieces'] as const) {
    const store = tx.objectStore(name)
    for (const key of await store.getAllKeys()) if (key[0] !== owner) await store.delete(key as never)
  }
  await tx.done
}

export async function readOwner(): Promise<string> {
  return String((await (await openStore()).get('state', 'owner')) ?? '')
}

/** The server has said which may stay: these for another while, the others go. */
export async function renewKept(owner: string, allowed: readonly string[]): Promise<void> {
  for (const { id } of await listKept(owner)) {
    if (!allowed.includes(id)) await removeKept(owner, id)
    else await changeKept({ owner, id }, (kept) => ({ ...kept, allowedUntil: allowedFromNow() }))
  }
}

export function allowedFromNow(): number {
  return Date.now() + keptDays * 24 * 3_600_000
}

export function piecesOf(owner: string, id: string): IDBKeyRange {
  return IDBKeyRange.bound([owner, id], [owner, id, []])
}

/** The pieces of one copy, by its first one. */
export function piecesFrom(owner: string, id: string, firstPiece: number): IDBKeyRange {
  return IDBKeyRange.bound([owner, id, firstPiece], [owner, id, firstPiece + nextCopyPiece], false, true)
}

/** All keys that begin with a member's name: a list comes after every text. */
function within(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []])
}
