import { LRUCache } from 'lru-cache'
import type { ByteRange } from './byte-range'
import type { ReadyFile } from './recent-files'

/**
 * Ranges are cut from blocks of this size that are read ahead, since a player that requests small ranges requests the
 * next one soon. A Bun.file opens its file for every response, which doubles the cost of a small one (measured).
 */
const blockBytes = 512 * 1024
const rangeBytesMax = 256 * 1024
/**
 * Blocks in memory: 16 MB, however many listen. They are blobs because a slice of a blob is sent without being copied.
 * A file's bytes never change, so blocks are never invalidated.
 */
const blocks = new LRUCache<string, Blob>({ max: 32 })

/** The response to a GET of a small range within one block; null for any other range, which Bun answers itself. */
export function respondRange(ready: ReadyFile, range: ByteRange): Response | null | Promise<Response | null> {
  if (range.to - range.from >= rangeBytesMax) return null
  const at = Math.floor(range.from / blockBytes)
  if (range.to >= (at + 1) * blockBytes) return null
  const key = `${ready.hash} ${at}`
  // A cached block is used synchronously: a promise costs a tenth of a small response (measured).
  const block = blocks.get(key)
  return block
    ? cut(ready, block, at, range)
    : fetchBlock(ready, at, key).then((fetched) => cut(ready, fetched, at, range))
}

function cut(ready: ReadyFile, block: Blob, at: number, range: ByteRange): Response | null {
  // A file that has been truncated is left to Bun.
  if (block.size < Math.min(blockBytes, ready.sizeBytes - at * blockBytes)) return null
  const start = range.from - at * blockBytes
  const body = block.slice(start, start + range.to - range.from + 1)
  // The header is set before the response copies the headers: changing those of a response costs 1 µs (measured).
  ready.pieceHeaders.set('content-range', `bytes ${range.from}-${range.to}/${ready.sizeBytes}`)
  return new Response(body, { status: 206, headers: ready.pieceHeaders })
}

async function fetchBlock(ready: ReadyFile, at: number, key: string): Promise<Blob> {
  const bytes = await ready.content.slice(at * blockBytes, (at + 1) * blockBytes).bytes()
  const block = new Blob([bytes])
  blocks.set(key, block)
  return block
}
