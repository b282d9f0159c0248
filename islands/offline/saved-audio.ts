import { type OfflineItem, openStore } from '#islands/offline/store'
import { pieceBytes } from '#src/offline/rules'

export type Span = { start: number; end: number }

/**
 * Returns the bytes that a Range header asks for, both ends included. Returns `all` if the header is absent or not
 * understood (RFC 9110 allows ignoring it), and null if the range is outside of the file.
 */
export function readRange(header: string | null, sizeBytes: number): Span | 'all' | null {
  const [, first = '', last = ''] = header?.match(/^bytes=(\d*)-(\d*)$/) ?? []
  if (!first && !last) return 'all'
  if (!first)
    return Number(last) > 0 ? { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 } : null
  const start = Number(first)
  const end = last ? Math.min(Number(last), sizeBytes - 1) : sizeBytes - 1
  if (last && Number(last) < start) return 'all'
  return start < sizeBytes ? { start, end } : null
}

/** Answers a GET or HEAD of a narration from the saved copy, as the server would. */
export function answerAudio(item: OfflineItem, request: Request): Response {
  if (!item.audio) return new Response(null, { status: 404 })
  const { etag, type, sizeBytes } = item.audio
  const headers = {
    'accept-ranges': 'bytes',
    'content-type': type,
    etag,
    'cache-control': 'private, no-cache',
  }
  const condition = request.headers.get('if-range')
  const isSame = condition === null || condition === etag
  const span = request.method === 'GET' && isSame ? readRange(request.headers.get('range'), sizeBytes) : 'all'
  if (span === null)
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${sizeBytes}` },
    })
  const { start, end } = span === 'all' ? { start: 0, end: sizeBytes - 1 } : span
  return new Response(
    request.method === 'HEAD' ? null : streamPieces(item, { start, end }, item.audio.firstPiece ?? 0),
    {
      status: span === 'all' ? 200 : 206,
      headers: {
        ...headers,
        'content-length': String(end - start + 1),
        ...(span !== 'all' && { 'content-range': `bytes ${start}-${end}/${sizeBytes}` }),
      },
    },
  )
}

/** Streams the pieces as fast as the reader consumes them, so that a long narration is never in memory as a whole. */
function streamPieces(
  { owner, id }: OfflineItem,
  { start, end }: Span,
  firstPiece: number,
): ReadableStream<Uint8Array> {
  let at = start
  return new ReadableStream({
    async pull(controller) {
      const index = Math.floor(at / pieceBytes)
      const piece = await (await openStore()).get('pieces', [owner, id, firstPiece + index])
      // The item was deleted during playback.
      if (!piece) return controller.error(new Error('This is no longer kept on this device.'))
      const from = index * pieceBytes
      const bytes = new Uint8Array(piece, at - from, Math.min(piece.byteLength, end + 1 - from) - (at - from))
      at += bytes.byteLength
      controller.enqueue(bytes)
      if (at > end) controller.close()
    },
  })
}
