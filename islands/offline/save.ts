import { SaidError } from '#islands/api-call'
import { askAbout, fetchCopy, fetchPieces } from '#islands/offline/fetch-copy'
import { allowedFromNow, changeKept, type KeptItem, openStore, removeKept } from '#islands/offline/store'
import { keptItemsMax } from '#src/offline/rules'

/**
 * Keeps an item for a member: text, times of its words, and the narration in its voice, piece by piece. What is
 * there already is not fetched again. `onProgress` hears the share of the bytes that are there, 0 to 1. Throws a
 * SaidError, an ApiError, or what `fetch` throws where the network goes; then it can be gone on with.
 */
export async function saveItem(
  owner: string,
  track: KeptItem['track'],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const store = await openStore()
    const { id } = track.meta
    const before = await store.get('items', [owner, id])
    if (!before && (await store.count('items')) >= keptItemsMax)
      throw new SaidError(`This device keeps ${keptItemsMax} items. Remove one, then keep this.`)
    const kept = await begin(owner, track, before, signal)
    await store.put('items', kept)
    const place = { owner, id, src: track.src }
    if (kept.audio)
      await fetchPieces(place, kept.audio, (last, audio) => ({ ...last, audio }), onProgress, signal)
    await changeKept(kept, (last) => ({ ...last, isWhole: true }))
    onProgress(1)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError')
      throw new SaidError('There is no room left on this device.', { cause: error })
    throw error
  }
}

async function begin(
  owner: string,
  track: KeptItem['track'],
  before: KeptItem | undefined,
  signal: AbortSignal,
): Promise<KeptItem> {
  const { id } = track.meta
  // Asked first: what changes from here on has another version, and is fetched anew at the next contact.
  const { versions } = await askAbout([id], signal)
  const copy = await fetchCopy(id, () => track, signal)
  const isSame = before?.audio && copy.audio && before.audio.etag === copy.audio.etag
  if (before && !isSame) await removeKept(owner, id)
  return {
    ...copy,
    ...(isSame && { audio: before.audio }),
    ...(versions[id] && { version: versions[id] }),
    owner,
    id,
    isWhole: false,
    keptAt: Date.now(),
    allowedUntil: allowedFromNow(),
  }
}
