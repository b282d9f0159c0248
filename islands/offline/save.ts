import { apiCall, SaidError } from '#islands/api-call'
import { allowedFromNow, type KeptAudio, type KeptItem, openStore, removeKept } from '#islands/offline/store'
import { keptItemsMax, pieceBytes } from '#src/offline/rules'
import type { Item } from '#src/story/schema'
import { urls } from '#src/urls'

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
    const before = await store.get('items', [owner, track.meta.id])
    if (!before && (await store.count('items')) >= keptItemsMax)
      throw new SaidError(`This device keeps ${keptItemsMax} items. Remove one, then keep this.`)
    const kept = await begin(owner, track, before, signal)
    await store.put('items', kept)
    if (kept.audio) await fetchPieces(kept, kept.audio, onProgress, signal)
    await putWhole(kept)
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
  const { id, hasAudio } = track.meta
  const [item, timings, audio] = await Promise.all([
    apiCall(urls.apiItem(id), { signal }) as Promise<Item>,
    hasAudio ? apiCall(urls.apiTimings(id, track.voice), { signal }).catch(() => null) : null,
    hasAudio ? findAudio(track, signal) : null,
  ])
  const isSame = before?.audio && audio && before.audio.etag === audio.etag
  if (before && !isSame) await removeKept(owner, id)
  return {
    owner,
    id,
    item,
    track,
    timings: typeof timings === 'object' ? timings : null,
    audio: audio && { ...audio, haveBytes: isSame ? (before.audio?.haveBytes ?? 0) : 0 },
    isWhole: false,
    keptAt: Date.now(),
    allowedUntil: allowedFromNow(),
  }
}

async function findAudio({ src, voice }: KeptItem['track'], signal: AbortSignal): Promise<KeptAudio> {
  const { ok, headers } = await fetch(src, { method: 'HEAD', signal })
  const sizeBytes = Number(headers.get('content-length'))
  if (!ok || !(sizeBytes > 0)) throw new SaidError('Its sound could not be fetched. Please try again.')
  return {
    voice,
    type: headers.get('content-type') ?? 'audio/mpeg',
    etag: headers.get('etag') ?? '',
    sizeBytes,
    haveBytes: 0,
  }
}

async function fetchPieces(
  kept: KeptItem,
  audio: KeptAudio,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const store = await openStore()
  const { owner, id, track } = kept
  onProgress(audio.haveBytes / audio.sizeBytes)
  while (audio.haveBytes < audio.sizeBytes) {
    const start = audio.haveBytes
    const end = Math.min(start + pieceBytes, audio.sizeBytes) - 1
    const answer = await fetch(track.src, {
      signal,
      cache: 'no-store',
      headers: { range: `bytes=${start}-${end}` },
    })
    const bytes = await answer.arrayBuffer()
    const isExpected = answer.status === 206 && bytes.byteLength === end - start + 1
    if (!isExpected || answer.headers.get('etag') !== audio.etag)
      throw new SaidError('It changed while it was fetched. Please try again.')
    audio.haveBytes = end + 1
    const tx = store.transaction(['items', 'pieces'], 'readwrite')
    // Removed meanwhile, here or in another tab, or its member is gone: then nothing is put back.
    if (!(await tx.objectStore('items').get([owner, id]))) throw new DOMException('Removed', 'AbortError')
    await Promise.all([
      tx.objectStore('pieces').put(bytes, [owner, id, Math.floor(start / pieceBytes)]),
      tx.objectStore('items').put(kept),
      tx.done,
    ])
    onProgress(audio.haveBytes / audio.sizeBytes)
  }
}

async function putWhole(kept: KeptItem): Promise<void> {
  const tx = (await openStore()).transaction('items', 'readwrite')
  if (await tx.store.get([kept.owner, kept.id])) await tx.store.put({ ...kept, isWhole: true })
  await tx.done
}
