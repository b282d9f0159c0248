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
 * Downloads items again if the server has another version. The old copy is used until the new one is complete. An
 * interrupted download resumes at the next contact with the server.
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

/** Fetches the current text, and the state of the audio's download. Unchanged audio is not downloaded again. */
async function beginNext(item: OfflineItem, version: string): Promise<OfflineCopy> {
  const { owner, id } = item
  const copy = await fetchCopy(id, trackOf)
  // The response may be a cached one from before the change. A server may give it for some seconds.
  if (copy.audio && !version.includes(copy.audio.etag.replaceAll('"', '')))
    throw new Error('Its sound is not the one that was told of.')
  const firstPiece = item.audio?.firstPiece ? 0 : nextCopyPiece
  const audio =
    copy.audio?.etag === item.audio?.etag ? item.audio : copy.audio && { ...copy.audio, firstPiece }
  // Delete the pieces of an abandoned copy.
  await (await openStore()).delete('pieces', piecesFrom(owner, id, firstPiece))
  const next = { ...copy, audio, version }
  await updateOfflineItem(item, (last) => ({ ...last, next }))
  return next
}

/** Deletes the pieces of the previous copy. A listener could finish it until this contact with the server. */
async function dropOldPieces(item: OfflineItem, oldPiece: number): Promise<void> {
  await (await openStore()).delete('pieces', piecesFrom(item.owner, item.id, oldPiece))
  await updateOfflineItem(item, ({ oldPiece: _, ...last }) => last)
}
