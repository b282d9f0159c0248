import { toReadableStream } from '#src/http/readable-stream'
import { countAudioBytes } from '#src/process/metrics'
import { audioHeaders, isUnchanged, notModified, withRanges } from './audio-answer'
import { type ByteRange, byteRangeOf, sizeOf } from './byte-range'
import type { Fetching } from './fetch-copy'

/**
 * Bytes by which a range may begin after what has arrived; one that begins later is read from the store instead. They
 * are a minute of speech, or two.
 */
const waitBytesMax = 1024 * 1024
/**
 * Ranges up to this size are collected before they are sent, so that they have a Content-Length. Safari's first request
 * is for two bytes.
 */
const collectedBytesMax = 256 * 1024

/**
 * Responds to GET and HEAD with a file that is still arriving from the store. Bun sends longer ranges chunked, without
 * Content-Length; `Content-Range` tells players the length.
 */
export async function respondFetching(
  fetching: Fetching,
  request: Request,
  headersOfAll: readonly [string, string][],
): Promise<Response> {
  const { stored } = fetching
  const headers = new Headers({ ...Object.fromEntries(headersOfAll), ...withRanges(audioHeaders(stored)) })
  if (isUnchanged(stored.hash, request)) return notModified(headers)
  if (request.method !== 'GET') {
    headers.set('content-length', String(stored.sizeBytes))
    return new Response(null, { headers })
  }
  const range = byteRangeOf(request, stored)
  countAudioBytes({}, sizeOf(range, stored))
  if (range === null) return new Response(await bodyOf(fetching, wholeOf(stored)), { headers })
  const asked = range === 'outside' ? '*' : `${range.from}-${range.to}`
  headers.set('content-range', `bytes ${asked}/${stored.sizeBytes}`)
  if (range === 'outside') return new Response(null, { status: 416, headers })
  return new Response(await bodyOf(fetching, range), { status: 206, headers })
}

const wholeOf = ({ sizeBytes }: { sizeBytes: number }): ByteRange => ({ from: 0, to: sizeBytes - 1 })

async function bodyOf(fetching: Fetching, range: ByteRange): Promise<BodyInit> {
  const chunks = readFrom(fetching, range)
  if (range.to - range.from >= collectedBytesMax) return toReadableStream(chunks)
  return new Blob(await Array.fromAsync(chunks))
}

async function* readFrom(
  { copy, readRange }: Fetching,
  range: ByteRange,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const isNear = range.from <= copy.readableBytes() + waitBytesMax
  yield* isNear ? copy.read(range) : await readRange(range)
}
