import { checkItems, fetchCopy, fetchPieces } from '#islands/offline/fetch-copy'
import {
  allowedFromNow,
  deleteOfflineItem,
  type OfflineItem,
  openStore,
  readOwner,
  updateOfflineItem,
} from '#islands/offline/store'
import { UserFacingError } from '#islands/runtime/api-error'
import { offlineItemsMax } from '#src/offline/rules'

/**
 * Saves an item offline for a member: its text, the timings of its words, and the narration in its voice, piece by
 * piece. Stored pieces are not fetched again. `onProgress` receives the downloaded share, 0 to 1. Throws a
 * UserFacingError, an ApiError, or what `fetch` throws if the network is lost; it can be called again after that.
 */
export async function saveItem(
  owner: string,
  track: OfflineItem['track'],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const store = await openStore()
    const { id } = track.meta
    const before = await store.get('items', [owner, id])
    if (!before && (await store.count('items')) >= offlineItemsMax)
      throw new UserFacingError(
        `This device keeps ${offlineItemsMax} items at most. Remove one to keep this.`,
      )
    const ownerBefore = await readOwner()
    const item = await begin(owner, track, before, signal)
    // Another tab may have closed the connection that was used above.
    const tx = (await openStore()).transaction(['items', 'state'], 'readwrite')
    const ownerNow = (await tx.objectStore('state').get('owner')) ?? ''
    // The member has signed out meanwhile, here or in another tab.
    if (ownerBefore === owner && ownerNow !== owner) throw new DOMException('Signed out', 'AbortError')
    await Promise.all([tx.objectStore('items').put(item), tx.done])
    const place = { owner, id, src: track.src }
    if (item.audio)
      await fetchPieces(place, item.audio, (last, audio) => ({ ...last, audio }), { onProgress, signal })
    await updateOfflineItem(item, (last) => ({ ...last, isWhole: true }))
    onProgress(1)
  } catch (error) {
    const refused = error instanceof DOMException && refusals[error.name]
    throw refused ? new UserFacingError(refused, { cause: error }) : error
  }
}

const storesNothing = 'This browser does not let this site store anything.'

/**
 * Why the browser refuses to store. SecurityError and InvalidStateError come from private windows and blocked cookies.
 */
const refusals: Record<string, string | undefined> = {
  QuotaExceededError: 'There is no space left on this device.',
  SecurityError: storesNothing,
  InvalidStateError: storesNothing,
}

async function begin(
  owner: string,
  track: OfflineItem['track'],
  before: OfflineItem | undefined,
  signal: AbortSignal,
): Promise<OfflineItem> {
  const { id } = track.meta
  // Read before the copy: if the item changes from here on, its version differs, and it is downloaded at the next
  // contact.
  const { versions } = await checkItems([id], signal)
  const copy = await fetchCopy(id, () => track, signal)
  const isSame = before?.audio && copy.audio && before.audio.etag === copy.audio.etag
  if (before && !isSame) await deleteOfflineItem(owner, id)
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
