import { apiCall, SaidError } from '#islands/api-call'
import { type KeptAudio, type KeptCopy, type KeptItem, openStore } from '#islands/offline/store'
import { pieceBytes } from '#src/offline/rules'
import type { AllowedItems } from '#src/offline/schema'
import type { Item } from '#src/story/schema'
import { urls } from '#src/urls'

/** What the server says of items: which may be kept, and what each of them is now. */
export async function askAbout(ids: readonly string[], signal?: AbortSignal): Promise<AllowedItems> {
  return (await apiCall(urls.apiOffline(), { method: 'POST', body: { ids }, signal })) as AllowedItems
}

/** An item as it is now, without the bytes of its sound. Throws a SaidError, an ApiError, or what `fetch` throws. */
export async function fetchCopy(
  id: string,
  trackOf: (item: Item) => KeptItem['track'],
  signal?: AbortSignal,
): Promise<KeptCopy> {
  const item = (await apiCall(urls.apiItem(id), { signal })) as Item
  const track = trackOf(item)
  const { hasAudio } = track.meta
  const [timings, audio] = await Promise.all([
    hasAudio ? apiCall(urls.apiTimings(id, track.voice), { signal }).catch(() => null) : null,
    hasAudio ? findAudio(track, signal) : null,
  ])
  return { item, track, timings: typeof timings === 'object' ? timings : null, audio }
}

async function findAudio({ src, voice }: KeptItem['track'], signal?: AbortSignal): Promise<KeptAudio> {
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

/**
 * Fetches what is missing of a copy's sound, piece by piece. `withAudio` puts what is there by now into the kept
 * item, together with the piece; `onProgress` hears the share of the bytes that are there, 0 to 1.
 */
export async function fetchPieces(
  { owner, id, src }: { owner: string; id: string; src: string },
  audio: KeptAudio,
  withAudio: (kept: KeptItem, audio: KeptAudio) => KeptItem,
  onProgress: (share: number) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  const store = await openStore()
  const { sizeBytes, firstPiece = 0 } = audio
  let { haveBytes } = audio
  onProgress(haveBytes / sizeBytes)
  while (haveBytes < sizeBytes) {
    const start = haveBytes
    const bytes = await fetchPiece(src, audio, start, signal)
    haveBytes = start + bytes.byteLength
    const tx = store.transaction(['items', 'pieces'], 'readwrite')
    const kept = await tx.objectStore('items').get([owner, id])
    // Removed meanwhile, here or in another tab, or its member is gone: then nothing is put back.
    if (!kept) throw new DOMException('Removed', 'AbortError')
    await Promise.all([
      tx.objectStore('pieces').put(bytes, [owner, id, firstPiece + Math.floor(start / pieceBytes)]),
      tx.objectStore('items').put(withAudio(kept, { ...audio, haveBytes })),
      tx.done,
    ])
    onProgress(haveBytes / sizeBytes)
  }
}

async function fetchPiece(
  src: string,
  { sizeBytes, etag }: KeptAudio,
  start: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const end = Math.min(start + pieceBytes, sizeBytes) - 1
  const answer = await fetch(src, {
    signal,
    cache: 'no-store',
    headers: { range: `bytes=${start}-${end}` },
  })
  const bytes = await answer.arrayBuffer()
  const isExpected = answer.status === 206 && bytes.byteLength === end - start + 1
  if (!isExpected || answer.headers.get('etag') !== etag)
    throw new SaidError('It changed while it was fetched. Please try again.')
  return bytes
}
