import { expect, test } from 'bun:test'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { encodeAnswer, streamedHeader } from './encoding'
import { toReadableStream } from './readable-stream'

const pieces = ['The frame. '.repeat(20_000), 'The figures. '.repeat(20_000)]

/** A response whose chunks are sent one after the other. */
function streamed(): Response {
  async function* send() {
    for (const piece of pieces) yield new TextEncoder().encode(piece)
  }
  return new Response(toReadableStream(send()), { headers: streamedHeader })
}

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('a response streamed in chunks is compressed with %s', async (encoding, decompress) => {
  const answer = await encodeAnswer(streamed(), encoding)
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(decompress(await answer.bytes()).toString()).toBe(pieces.join(''))
})

test.each([
  ['br', brotliDecompressSync, constants.BROTLI_OPERATION_FLUSH],
  ['gzip', gunzipSync, constants.Z_SYNC_FLUSH],
] as const)(
  'the first chunk is sent with %s before the next one exists',
  async (encoding, decompress, finishFlush) => {
    const read = Promise.withResolvers<void>()
    async function* send() {
      yield new TextEncoder().encode('The frame.')
      await read.promise
    }
    const response = new Response(toReadableStream(send()), { headers: streamedHeader })
    const reader = (await encodeAnswer(response, encoding)).body?.getReader()
    const first = (await reader?.read())?.value ?? ''
    expect(decompress(first, { finishFlush }).toString()).toBe('The frame.')
    read.resolve()
  },
)

test.each(['br', 'gzip', 'identity'])(
  'cancelling a stream sent as %s at any moment ends only that response',
  async (encoding) => {
    for (let turns = 0; turns < 8; turns += 1) {
      const answer = await encodeAnswer(streamed(), encoding)
      const reader = answer.body?.getReader()
      const first = reader?.read()
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
      await reader?.cancel()
      await first
    }
    // A compressor that was still running would have finished by now.
    await (await encodeAnswer(streamed(), encoding)).bytes()
  },
)
