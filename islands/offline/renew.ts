import { fetchCopy, fetchPieces } from '#islands/offline/fetch-copy'
import {
  listOfflineItems,
  type OfflineCopy,
  type OfflineItem,
  openStore,
  piecesFrom,
  updateOfflineItem,
} from '#islands/offline/store'
import { nextCopyPiece } from '#src/offline/rules'
import { trackOf } from '#src/story/track-rules'

let isRenewing = false

/**
 * Downloads items again that have another version on the server. The old copy is used until the new one is complete;
 * an interrupted download is resumed at the next contact.
 */
export async function renewCopies(owner: string, versions: Readonly<Record<string, string>>): Promise<void> {
  if (isRenewing) return
  isRenewing = true
  try {
    for (const item of await listOfflineItems(owner)) {
      if (item.oldPiece !== undefined) await dropOldPieces(item, item.oldPiece)
      const version = versions[item.id]
      if (!item.isWhole || version === undefined || version === item.version) continue
      await renewCopy(item, version).catch((error) =>
        console.warn('A saved item could not be renewed; it is tried again.', error),
      )
    }
  } finally {
    isRenewing = false
  }
}

async function renewCopy(item: OfflineItem, version: string): Promise<void> {
  const next = item.next?.version === version ? item.next : await beginNext(item, version)
  const place = { owner: item.owner, id: item.id, src: next.track.src }
  if (next.audio)
    await fetchPieces(place, next.audio, (last, audio) => ({ ...last, next: { ...next, audio } }))
  await updateOfflineItem(item, ({ next: arrived = next, ...last }) => {
    const isHeardAnew = arrived.audio?.etag !== last.audio?.etag
    return { ...last, ...arrived, ...(isHeardAnew && { oldPiece: last.audio?.firstPiece ?? 0 }) }
  })
}

/** The present text, and the address of the audio: none where the audio is unchanged. */
async function beginNext(item: OfflineItem, version: string): Promise<OfflineCopy> {
  const { owner, id } = item
  const copy = await fetchCopy(id, trackOf)
  // A cached answer from before the change, which a server may give for some seconds.
  if (copy.audio && !version.includes(copy.audio.etag.replaceAll('"', '')))
    throw new Error('Its sound is not the one that was told of.')
  const firstPiece = item.audio?.firstPiece ? 0 : nextCopyPiece
  const audio =
    copy.audio?.etag === item.audio?.etag ? item.audio : copy.audio && { ...copy.audio, firstPiece }
  // The pieces of an abandoned copy.
  await (await openStore()).delete('pieces', piecesFrom(owner, id, firstPiece))
  const next = { ...copy, audio, version }
  await updateOfflineItem(item, (last) => ({ ...last, next }))
  return next
}

/** A listener of the old copy has had the time until this contact. */
async function dropOldPieces(item: OfflineItem, oldPiece: number): Promise<void> {
  await (await openStore()).delete('pieces', piecesFrom(item.owner, item.id, oldPiece))
  await updateOfflineItem(item, ({ oldPiece: _, ...last }) => last)
}
