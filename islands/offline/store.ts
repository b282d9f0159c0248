import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { nextCopyPiece, offlineDays } from '#src/offline/rules'
import type { Item } from '#src/story/schema'
import type { Track, TrackItem } from '#src/story/track-rules'

/** The server's copy of an item when it was fetched. */
export type OfflineCopy = {
  item: Item
  track: Track & { meta: TrackItem }
  /** The response of the timings request; null if there was none. */
  timings: object | null
  /** Null for a text without a narration. */
  audio: OfflineAudio | null
  /** The server's name for this version. */
  version?: string
}

/** An item as a browser stores it for a member. */
export type OfflineItem = OfflineCopy & {
  owner: string
  id: string
  /** The newer copy that is being downloaded and will replace this one. */
  next?: OfflineCopy
  /** The number of the previous copy's first piece. That copy may still be playing. */
  oldPiece?: number
  /** Whether the copy is complete. An incomplete one is resumed, and never served. */
  isWhole: boolean
  keptAt: number
  /** The end of the server's permission, in milliseconds since 1970. */
  allowedUntil: number
}
export type OfflineAudio = {
  voice: string
  type: string
  etag: string
  sizeBytes: number
  haveBytes: number
  /** The number under which the first piece is stored. */
  firstPiece?: number
}

interface Schema extends DBSchema {
  items: { key: [owner: string, id: string]; value: OfflineItem }
  pieces: { key: [owner: string, id: string, at: number]; value: ArrayBuffer }
  state: { key: 'owner' | 'askedAt' | 'hasPin' | 'isDiscreet'; value: string | number | boolean }
}

let opened: Promise<IDBPDatabase<Schema>> | null = null

/**
 * Opens the database of items and their audio in pieces. Pages write, the worker reads. Everything is stored under the
 * member's name.
 */
export function openStore(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('nocturne', 1, {
    upgrade(db) {
      db.createObjectStore('items', { keyPath: ['owner', 'id'] })
      db.createObjectStore('pieces')
      db.createObjectStore('state')
    },
    // Another tab deletes or upgrades the database, and this connection must not block that.
    blocking: () => {
      void opened?.then((db) => db.close())
      opened = null
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

/** Returns the item if it is complete and still allowed, otherwise null. */
export async function findOfflineItem(owner: string, id: string): Promise<OfflineItem | null> {
  if (!owner) return null
  const item = await (await openStore()).get('items', [owner, id])
  return item?.isWhole && item.allowedUntil > Date.now() ? item : null
}

/**
 * Returns all saved items of a member, including those being saved, the newest first. Items that are no longer allowed
 * are deleted.
 */
export async function listOfflineItems(owner: string): Promise<OfflineItem[]> {
  if (!owner) return []
  const items = await (await openStore()).getAll('items', within(owner))
  const expired = items.filter(({ allowedUntil }) => allowedUntil <= Date.now())
  for (const { id } of expired) await deleteOfflineItem(owner, id)
  return items.filter((each) => !expired.includes(each)).sort((a, b) => b.keptAt - a.keptAt)
}

/** Changes an item. Returns false if it was removed meanwhile, here or in another tab. */
export async function updateOfflineItem(
  { owner, id }: Pick<OfflineItem, 'owner' | 'id'>,
  change: (item: OfflineItem) => OfflineItem,
): Promise<boolean> {
  const tx = (await openStore()).transaction('items', 'readwrite')
  const item = await tx.store.get([owner, id])
  if (item) await tx.store.put(change(item))
  await tx.done
  return item !== undefined
}

export async function deleteOfflineItem(owner: string, id: string): Promise<void> {
  const tx = (await openStore()).transaction(['items', 'pieces'], 'readwrite')
  await Promise.all([
    tx.objectStore('items').delete([owner, id]),
    tx.objectStore('pieces').delete(piecesOf(owner, id)),
    tx.done,
  ])
}

/** Sets the member at this browser. Items of other members are deleted; with an empty name, all are. */
export async function changeOwner(owner: string): Promise<void> {
  const tx = (await openStore()).transaction(['items', 'pieces', 'state'], 'readwrite')
  await tx.objectStore('state').put(owner, 'owner')
  const [items, pieces] = [tx.objectStore('items'), tx.objectStore('pieces')]
  for (const key of await items.getAllKeys()) if (key[0] !== owner) await items.delete(key)
  for (const key of await pieces.getAllKeys()) if (key[0] !== owner) await pieces.delete(key)
  await tx.done
}

/** Deletes a member's items at sign-out. Items that another member has stored here since stay. */
export async function leaveOwner(owner: string): Promise<void> {
  if ((await readOwner()) === owner) await changeOwner('')
}

export async function readOwner(): Promise<string> {
  return String((await (await openStore()).get('state', 'owner')) ?? '')
}

/** Extends the permission of items that the server still allows, and deletes the others. */
export async function renewOfflineItems(owner: string, allowed: readonly string[]): Promise<void> {
  for (const { id } of await listOfflineItems(owner)) {
    if (!allowed.includes(id)) await deleteOfflineItem(owner, id)
    else await updateOfflineItem({ owner, id }, (item) => ({ ...item, allowedUntil: allowedFromNow() }))
  }
}

export function allowedFromNow(): number {
  return Date.now() + offlineDays * 24 * 3_600_000
}

function piecesOf(owner: string, id: string): IDBKeyRange {
  return IDBKeyRange.bound([owner, id], [owner, id, []])
}

/** Returns the key range of one copy's pieces, given its first one. */
export function piecesFrom(owner: string, id: string, firstPiece: number): IDBKeyRange {
  return IDBKeyRange.bound([owner, id, firstPiece], [owner, id, firstPiece + nextCopyPiece], false, true)
}

/** Returns the range of all keys of a member. In IndexedDB an array sorts after every string. */
function within(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []])
}
