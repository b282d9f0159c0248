import { type OfflineAudio, type OfflineCopy, type OfflineItem, openStore } from '#islands/offline/store'
import { api } from '#islands/runtime/api'
import { UserFacingError } from '#islands/runtime/api-error'
import { pieceBytes } from '#src/offline/rules'
import type { AllowedItems } from '#src/offline/schema'
import type { Item } from '#src/story/schema'

/** Asks the server which of these items may stay saved, and for the version of each. */
export function checkItems(ids: readonly string[], signal?: AbortSignal): Promise<AllowedItems> {
  return api('POST /api/user/offline', { body: { ids: [...ids] }, signal })
}

/** Fetches an item without its audio's bytes. Throws a UserFacingError, an ApiError, or what `fetch` throws. */
export async function fetchCopy(
  id: string,
  trackOf: (item: Item) => OfflineItem['track'],
  signal?: AbortSignal,
): Promise<OfflineCopy> {
  const item = await api('GET /api/content/:id', { path: { id }, signal })
  const track = trackOf(item)
  const { hasAudio } = track.meta
  const [timings, audio] = await Promise.all([
    hasAudio ? api(timingsCall, { path: { id, voice: track.voice }, signal }).catch(() => null) : null,
    hasAudio ? findAudio(track, signal) : null,
  ])
  return { item, track, timings, audio }
}

const timingsCall = 'GET /api/premium-audio/:id/:voice/timings'

async function findAudio({ src, voice }: OfflineItem['track'], signal?: AbortSignal): Promise<OfflineAudio> {
  const { ok, headers } = await fetch(src, { method: 'HEAD', signal })
  const sizeBytes = Number(headers.get('content-length'))
  if (!ok || !(sizeBytes > 0))
    throw new UserFacingError('Its audio could not be downloaded. Please try again.')
  return {
    voice,
    type: headers.get('content-type') ?? 'audio/mpeg',
    etag: headers.get('etag') ?? '',
    sizeBytes,
    haveBytes: 0,
  }
}

/**
 * Fetches the missing pieces of a copy's audio. `withAudio` returns the item with the new state, which is stored
 * together with each piece. `onProgress` receives the share of the bytes that is stored, 0 to 1.
 */
export async function fetchPieces(
  { owner, id, src }: { owner: string; id: string; src: string },
  audio: OfflineAudio,
  withAudio: (item: OfflineItem, audio: OfflineAudio) => OfflineItem,
  { onProgress = () => {}, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<void> {
  const { sizeBytes, firstPiece = 0 } = audio
  let { haveBytes } = audio
  onProgress(haveBytes / sizeBytes)
  while (haveBytes < sizeBytes) {
    const start = haveBytes
    const bytes = await fetchPiece(src, audio, start, signal)
    haveBytes = start + bytes.byteLength
    const tx = (await openStore()).transaction(['items', 'pieces'], 'readwrite')
    const stored = await tx.objectStore('items').get([owner, id])
    // The item was removed meanwhile, here or in another tab, or its member has signed out: it must not be stored
    // again.
    if (!stored) throw new DOMException('Removed', 'AbortError')
    await Promise.all([
      tx.objectStore('pieces').put(bytes, [owner, id, firstPiece + Math.floor(start / pieceBytes)]),
      tx.objectStore('items').put(withAudio(stored, { ...audio, haveBytes })),
      tx.done,
    ])
    onProgress(haveBytes / sizeBytes)
  }
}

async function fetchPiece(
  src: string,
  { sizeBytes, etag }: OfflineAudio,
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
    throw new UserFacingError('It changed while it was downloaded. Please try again.')
  return bytes
}
