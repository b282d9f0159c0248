import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { hasOpened, openStory } from './meter'
import { addressReader } from './meter-rules'
import { findItem } from './queries'
import { preview, previewCharactersMax } from './rules'
import type { Item } from './schema'

/** The reader of an item: one who may read all, a machine that sees previews, or a visitor on the meter. */
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
 * Opens one published item: the whole text where the reader may have it, else a preview with
 * `contentTruncated`. A visitor's opening counts once on the free-reading meter. Null where there is no
 * such item.
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

/** A visitor writes no item; a member or an operator may have just written this one. */
function findFor(db: Executor, by: Parameters<typeof findItem>[1], reader: Reader): Promise<Item | null> {
  if (reader.kind === 'member') return findItem(db, by, 'whole', reader.memberId)
  return fromReplica(db, 'pages', (from) => findItem(from, by, 'whole'))
}

/**
 * A visitor without a counted id is counted by address as well: dropping cookies, or getting more ids than an address
 * may have, leads to that limit. A story that such an id has opened stays open to it.
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
