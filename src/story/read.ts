import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { findItem } from './find-items'
import { hasOpened, openStory } from './meter'
import { addressReader } from './meter-rules'
import { preview, previewCharactersMax } from './rules'
import type { Item } from './schema'

/** The reader of an item: a person who may read everything, a crawler that sees previews, or a visitor on the meter. */
export type Reader =
  /** `memberId` is null for an operator. */
  | { kind: 'member'; memberId: string | null }
  | { kind: 'crawler' }
  | { kind: 'visitor'; visitorId: string; isCounted: boolean; addressHash: string }

export type Reading = {
  item: Item
  isOpen: boolean
  /** Free stories left to a visitor; null for everyone else. */
  freeStoriesLeft: number | null
}

/**
 * Opens one published item: with the whole text if the reader may have it, otherwise with a preview and
 * `contentTruncated`. A visitor's opening counts once on the free-reading meter. Null if there is no such item.
 */
export async function readItem(
  db: Executor,
  by: Parameters<typeof findItem>[1],
  reader: Reader,
  freeStoryLimit: number,
): Promise<Reading | null> {
  const item = await findFor(db, by, reader)
  if (!item) return null
  if (reader.kind === 'member') return { item, isOpen: true, freeStoriesLeft: null }
  if (reader.kind === 'crawler') return { item: previewOnly(item), isOpen: false, freeStoriesLeft: null }
  const opening = await openForVisitor(db, reader, item.id, freeStoryLimit)
  return {
    item: opening.isOpen ? item : previewOnly(item),
    isOpen: opening.isOpen,
    freeStoriesLeft: opening.left,
  }
}

/** Reads from the replica for visitors, who write no items. A member or an operator may just have written this one. */
function findFor(db: Executor, by: Parameters<typeof findItem>[1], reader: Reader): Promise<Item | null> {
  if (reader.kind === 'member') return findItem(db, by, 'whole', reader.memberId)
  return fromReplica(db, 'pages', (from) => findItem(from, by, 'whole'))
}

/**
 * Opens a story for a visitor. A visitor without a counted id is counted by address as well, so that dropping cookies,
 * or getting more ids than an address may have, leads to the limit of the address. A story that such an id has opened
 * stays open to it.
 */
async function openForVisitor(
  db: Executor,
  reader: Extract<Reader, { kind: 'visitor' }>,
  storyId: string,
  limit: number,
) {
  const own = { id: reader.visitorId, isCookieless: false }
  if (!reader.isCounted && !(await hasOpened(db, own, storyId))) {
    const address = { id: `${addressReader}${reader.addressHash}`, isCookieless: true }
    const byAddress = await openStory(db, address, storyId, limit)
    if (!byAddress.isOpen) return byAddress
  }
  return openStory(db, own, storyId, limit)
}

function previewOnly(item: Item): Item {
  return {
    ...item,
    content: preview(item.content, previewCharactersMax),
    contentTruncated: item.wordCount > 0,
  }
}
