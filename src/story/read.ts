import type { Executor } from '#db/db'
import { openStory } from './meter'
import { findItem } from './queries'
import { preview, previewCharactersMax } from './rules'
import type { Item } from './schema'

/** Who opens an item: someone who may read all, a machine that sees previews, or a visitor on the meter. */
export type Reader =
  /** `memberId` is null for an operator. */
  | { kind: 'member'; memberId: string | null }
  | { kind: 'crawler' }
  | { kind: 'visitor'; visitorId: string; isNew: boolean; addressHash: string }

export type Reading = {
  item: Item
  isOpen: boolean /** Free stories left to a visitor; null for everyone else. */
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
  const item = await findItem(db, by, 'whole', reader.kind === 'member' ? reader.memberId : null)
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

/** A visitor without an id of ours is counted by address as well: whoever drops cookies meets that limit. */
async function openForVisitor(
  db: Executor,
  reader: Extract<Reader, { kind: 'visitor' }>,
  storyId: string,
  limit: number,
) {
  if (reader.isNew) {
    const byAddress = await openStory(
      db,
      { id: `address:${reader.addressHash}`, isCookieless: true },
      storyId,
      limit,
    )
    if (!byAddress.isOpen) return byAddress
  }
  return openStory(db, { id: reader.visitorId, isCookieless: false }, storyId, limit)
}

function previewOnly(item: Item): Item {
  return {
    ...item,
    content: preview(item.content, previewCharactersMax),
    contentTruncated: item.wordCount > 0,
  }
}
