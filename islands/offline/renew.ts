import { fetchCopy, fetchPieces } from '#islands/offline/fetch-copy'
import {
  changeKept,
  type KeptCopy,
  type KeptItem,
  listKept,
  openStore,
  piecesFrom,
} from '#islands/offline/store'
import { nextCopyPiece } from '#src/offline/rules'
import { trackOf } from '#src/story/track'

let isRenewing = false

/**
 * Fetches anew what has another version on the server. The copy that is there is read and heard until the new one
 * is whole; where the network goes, the next contact goes on.
 */
export async function renewCopies(owner: string, versions: Readonly<Record<string, string>>): Promise<void> {
  if (isRenewing) return
  isRenewing = true
  try {
    for (const kept of await listKept(owner)) {
      if (kept.oldPiece !== undefined) await dropOldPieces(kept, kept.oldPiece)
      const version = versions[kept.id]
      if (!kept.isWhole || version === undefined || version === kept.version) continue
      await renewCopy(kept, version).catch((error) => console.warn('A kept item waits to be renewed.', error))
    }
  } finally {
    isRenewing = false
  }
}

async function renewCopy(kept: KeptItem, version: string): Promise<void> {
  const next = kept.next?.version === version ? kept.next : await beginNext(kept, version)
  const place = { owner: kept.owner, id: kept.id, src: next.track.src }
  if (next.audio)
    await fetchPieces(place, next.audio, (last, audio) => ({ ...last, next: { ...next, audio } }))
  await changeKept(kept, ({ next: arrived = next, ...last }) => {
    const isHeardAnew = arrived.audio?.etag !== last.audio?.etag
    return { ...last, ...arrived, ...(isHeardAnew && { oldPiece: last.audio?.firstPiece ?? 0 }) }
  })
}

/** The text as it is now, and where its sound is to be fetched from: nowhere, if that is the same. */
async function beginNext(kept: KeptItem, version: string): Promise<KeptCopy> {
  const { owner, id } = kept
  const copy = await fetchCopy(id, trackOf)
  // An answer from before the change, which a server may give for some seconds.
  if (copy.audio && !version.includes(copy.audio.etag.replaceAll('"', '')))
    throw new Error('Its sound is not the one that was told of.')
  const firstPiece = kept.audio?.firstPiece ? 0 : nextCopyPiece
  const audio =
    copy.audio?.etag === kept.audio?.etag ? kept.audio : copy.audio && { ...copy.audio, firstPiece }
  // What is left of a copy that was given up.
  await (await openStore()).delete('pieces', piecesFrom(owner, id, firstPiece))
  const next = { ...copy, audio, version }
  await changeKept(kept, (last) => ({ ...last, next }))
  return next
}

/** Whoever was hearing them when the new copy came has had the time until this contact. */
async function dropOldPieces(kept: KeptItem, oldPiece: number): Promise<void> {
  await (await openStore()).delete('pieces', piecesFrom(kept.owner, kept.id, oldPiece))
  await changeKept(kept, ({ oldPiece: _, ...last }) => last)
}
