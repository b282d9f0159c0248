import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { nextCopyPiece, offlineDays } from '#src/offline/rules'
import type { Item } from '#src/story/schema'
import type { Track, TrackItem } from '#src/story/track-rules'

/** The server's copy of an item, as it was fetched. */
export type OfflineCopy = {
  item: Item
  track: Track & { meta: TrackItem }
  /** The answer of the timings call; null where there was none. */
  timings: object | null
  /** Null for a text without a narration. */
  audio: OfflineAudio | null
  /** The server's name of the version. */
  version?: string
}

/** One item as a browser stores it for one member. */
export type OfflineItem = OfflineCopy & {
  owner: string
  id: string
  /** The copy in progress that will replace this one. */
  next?: OfflineCopy
  /** Where the pieces of the copy before begin: they may still be playing. */
  oldPiece?: number
  /** The copy is complete: an incomplete one is resumed, and never served. */
  isWhole: boolean
  keptAt: number
  /** Milliseconds since 1970: until then the server has allowed it. */
  allowedUntil: number
}
export type OfflineAudio = {
  voice: string
  type: string
  etag: string
  sizeBytes: number
  haveBytes: number
  /** Its first piece is stored under this number. */
  firstPiece?: number
}

interface Schema extends DBSchema {
  items: { key: [owner: string, id: string]; value: OfflineItem }
  pieces: { key: [owner: string, id: string, at: number]; value: ArrayBuffer }
  state: { key: 'owner' | 'askedAt' | 'hasPin' | 'isDiscreet'; value: string | number | boolean }
}

let opened: Promise<IDBPDatabase<Schema>> | null = null

/** Items and their audio in pieces: pages write, the worker reads. All of it is stored under the member's name. */
export function openStore(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('nocturne', 1, {
    upgrade(db) {
      db.createObjectStore('items', { keyPath: ['owner', 'id'] })
      db.createObjectStore('pieces')
      db.createObjectStore('state')
    },
    // Another tab deletes or upgrades the database: this connection must not block it.
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

/** The item, if it is complete and still allowed. */
export async function findOfflineItem(owner: string, id: string): Promise<OfflineItem | null> {
  if (!owner) return null
  const item = await (await openStore()).get('items', [owner, id])
  return item?.isWhole && item.allowedUntil > Date.now() ? item : null
}

/**
 * All saved items of a member, also those being saved, the newest first. Items that are no longer allowed are deleted.
 */
export async function listOfflineItems(owner: string): Promise<OfflineItem[]> {
  if (!owner) return []
  const items = await (await openStore()).getAll('items', within(owner))
  const expired = items.filter(({ allowedUntil }) => allowedUntil <= Date.now())
  for (const { id } of expired) await deleteOfflineItem(owner, id)
  return items.filter((each) => !expired.includes(each)).sort((a, b) => b.keptAt - a.keptAt)
}

/** Changes an item that is there; false where it was removed meanwhile, here or in another tab. */
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

/** A member has signed out: theirs is deleted, and what another has stored here since stays. */
export async function leaveOwner(owner: string): Promise<void> {
  if ((await readOwner()) === owner) await changeOwner('')
}

export async function readOwner(): Promise<string> {
  return String((await (await openStore()).get('state', 'owner')) ?? '')
}

/** Extends the items that the server allows, and deletes the others. */
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

/** The pieces of one copy, by its first one. */
export function piecesFrom(owner: string, id: string, firstPiece: number): IDBKeyRange {
  return IDBKeyRange.bound([owner, id, firstPiece], [owner, id, firstPiece + nextCopyPiece], false, true)
}

/** All keys that begin with a member's name: a list comes after every text. */
function within(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []])
}
