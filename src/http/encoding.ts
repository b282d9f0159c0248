import { once } from 'node:events'
import { promisify } from 'node:util'
import {
  type BrotliCompress,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  type Gzip,
  gzip,
} from 'node:zlib'
import { toReadableStream } from './readable-stream'

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

/** Smaller responses are sent uncompressed: compressing them costs more than it saves. */
const compressedBytesMin = 1_400

/** Order for a body that is compressed once and sent often: the smallest result first. */
const smallestFirst = ['br', 'gzip'] as const
/**
 * Order for a body that is compressed for one response. A member's list takes 90 µs of a core by zstd (7.3 KB) and 380
 * µs by Brotli (7.0 KB).
 */
const quickestFirst = ['zstd', ...smallestFirst] as const

/** The first of the `offered` encodings that the browser accepts. */
export function chooseEncoding(
  accepted: string | null,
  offered: readonly Encoding[] = smallestFirst,
): Encoding {
  if (!accepted) return 'identity'
  const taken = accepted.toLowerCase().split(',').map(takenName)
  return offered.find((each) => taken.includes(each)) ?? 'identity'
}

/** The name of an Accept-Encoding entry; empty if its weight is 0, which means "not this one". */
function takenName(entry: string): string {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  return parameters.some((each) => /^q\s*=\s*0(\.0*)?$/.test(each)) ? '' : name
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Compresses a body for one response, with fast settings. */
export async function compress(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === 'identity') return bytes
  if (encoding === 'zstd') return new Uint8Array(await Bun.zstdCompress(bytes, { level: 3 }))
  if (encoding === 'gzip') return new Uint8Array(await gzipped(bytes, { level: 4 }))
  return new Uint8Array(await brotli(bytes, { params: quickBrotli }))
}

const quickBrotli = { [constants.BROTLI_PARAM_QUALITY]: 4 }

/**
 * Encodes a response for the request it answers, as the browser accepts; a short one stays uncompressed. `tag` computes
 * its entity tag.
 */
export async function encodeAnswer(
  response: Response,
  accepted: string | null,
  tag?: (body: Uint8Array, encoding: Encoding) => string,
): Promise<Response> {
  const { headers, status } = response
  if (headers.has('content-encoding')) return response
  if (headers.get('x-accel-buffering') === 'no') return encodeStream(response, accepted)
  const chosen = chooseEncoding(accepted, quickestFirst)
  if (chosen === 'identity' && !tag) return response
  const body = new Uint8Array(await response.arrayBuffer())
  const encoding = body.byteLength < compressedBytesMin ? 'identity' : chosen
  if (tag && body.byteLength > 0) headers.set('etag', tag(body, encoding))
  if (encoding === 'identity') return new Response(body, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(await compress(body, encoding), { status, headers })
}

/** Header of a response whose beginning is sent before its end exists: without it nginx buffers the first chunks. */
export const streamedHeader = { 'x-accel-buffering': 'no' }

/** Compresses each chunk of a body as it arrives. */
function encodeStream({ body, headers, status }: Response, accepted: string | null): Response {
  const encoding = chooseEncoding(accepted)
  if (!body || encoding === 'identity') return new Response(body, { status, headers })
  headers.set('content-encoding', encoding)
  const compressor =
    encoding === 'gzip'
      ? createGzip({ level: 4, flush: constants.Z_SYNC_FLUSH })
      : createBrotliCompress({ params: quickBrotli, flush: constants.BROTLI_OPERATION_FLUSH })
  return new Response(toReadableStream(compressPieces(body, compressor)), { status, headers })
}

/**
 * Ends the body and the compressor when the client disconnects. A stream adapter would go on passing chunks to a reader
 * that is gone, and that error ends the process.
 */
async function* compressPieces(
  body: ReadableStream<Uint8Array>,
  compressor: BrotliCompress | Gzip,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const made: Uint8Array[] = []
  compressor.on('data', (bytes) => made.push(bytes))
  try {
    for await (const piece of body) {
      await new Promise((resolve) => compressor.write(piece, resolve))
      yield Buffer.concat(made.splice(0))
    }
    compressor.end()
    await once(compressor, 'end')
    yield Buffer.concat(made)
  } finally {
    compressor.destroy()
  }
}

export function isPage({ headers }: Response): boolean {
  return headers.get('content-type') === pageType
}

export const pageType = 'text/html; charset=utf-8'

/** Whether a response is JSON, a feed or part of one. Spreadsheets and archives are downloads, which are streamed. */
export function isData({ headers }: Response): boolean {
  return dataTypes.test(headers.get('content-type') ?? '') && !headers.has('content-disposition')
}

const dataTypes = /^(?:application\/(?:json|opds\+json|rss\+xml|xhtml\+xml)|text\/vtt)\b/
