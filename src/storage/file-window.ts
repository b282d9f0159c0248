import { type FileHandle, open } from 'node:fs/promises'

/** A file that is read in pieces, so that only one piece is in memory however long the file is. */
export type FileWindow = {
  sizeBytes: number
  /**
   * Reads at most `length` bytes from `at`, fewer at the end of the file. The returned array is valid until the next
   * read.
   */
  read(at: number, length: number): Promise<Uint8Array>
}

/** Size of a piece. Reading it costs the same as reading a kilobyte, and it has room for many frames or box headers. */
export const windowBytes = 256 * 1024

/** Opens the file at `path` for `use`, and always closes it. */
export async function withFileWindow<T>(path: string, use: (file: FileWindow) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r')
  try {
    return await use(windowOf(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}

function windowOf(handle: FileHandle, sizeBytes: number): FileWindow {
  const buffer = new Uint8Array(windowBytes)
  let from = 0
  let filled = 0
  return {
    sizeBytes,
    async read(at, length) {
      const wanted = Math.max(0, Math.min(length, windowBytes, sizeBytes - at))
      if (at < from || at + wanted > from + filled) {
        from = at
        filled = await fill(handle, buffer, at)
      }
      return buffer.subarray(at - from, Math.min(at - from + wanted, filled))
    },
  }
}

async function fill(handle: FileHandle, buffer: Uint8Array, at: number): Promise<number> {
  let filled = 0
  while (filled < buffer.byteLength) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.byteLength - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

/** Bytes as ASCII text, by default a name of four letters, as of chunks in RIFF and boxes in MP4. */
export function asciiAt(bytes: Uint8Array, at: number, length = 4): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
