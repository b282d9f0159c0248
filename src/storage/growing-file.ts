import { type FileHandle, open } from 'node:fs/promises'
import type { ByteRange } from './byte-range'

/** Bytes in memory for one reader. */
const pieceBytes = 64 * 1024

/** A file of known length that can be read while it is written. */
export type GrowingFile = {
  /** How many of its bytes can be read so far. */
  readableBytes(): number
  /** Reports that so many more bytes have been written. */
  grow(bytes: number): void
  /** Reports that the whole file has been written and verified. */
  complete(): void
  /** Makes waiting readers throw this error. */
  fail(error: unknown): void
  /** Yields the bytes of a range as they arrive. */
  read(range: ByteRange): AsyncGenerator<Uint8Array<ArrayBuffer>>
}

/**
 * Creates a file that many can read while it is written under one of `paths`: its temporary name first, then its final
 * one. The last byte is withheld until `complete` is called, so that no reader ever gets the whole of a corrupt file.
 */
export function growingFile(paths: readonly string[], sizeBytes: number): GrowingFile {
  let writtenBytes = 0
  let isComplete = false
  let change = Promise.withResolvers<void>()
  const readableBytes = () => (isComplete ? sizeBytes : Math.min(writtenBytes, sizeBytes - 1))

  function changed(): void {
    change.resolve()
    change = Promise.withResolvers()
  }

  async function* read({ from, to }: ByteRange): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    if (to < from) return
    while (readableBytes() <= from) await change.promise
    const handle = await openFirst(paths)
    try {
      let at = from
      while (at <= to) {
        while (readableBytes() <= at) await change.promise
        const piece = await readPiece(handle, at, Math.min(pieceBytes, to + 1 - at, readableBytes() - at))
        at += piece.byteLength
        yield piece
      }
    } finally {
      await handle.close()
    }
  }

  return {
    readableBytes,
    grow(bytes) {
      writtenBytes += bytes
      changed()
    },
    complete() {
      isComplete = true
      changed()
    },
    fail(error) {
      // Without readers, the rejection would be unhandled.
      change.promise.catch(() => {})
      change.reject(error)
    },
    read,
  }
}

async function openFirst([path = '', ...others]: readonly string[]): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (others.length === 0) throw error
    return openFirst(others)
  }
}

async function readPiece(handle: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(length)
  const { bytesRead } = await handle.read(buffer, 0, length, at)
  if (bytesRead === 0) throw new Error('The file is shorter than it was said to be.')
  return buffer.subarray(0, bytesRead)
}
