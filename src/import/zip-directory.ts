import { open } from 'node:fs/promises'

export type ZipEntry = { name: string; packedBytes: number; inflatedBytes: number }

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endBytesMax = 22 + 65_535
const directoryBytesMax = 4 * 1024 * 1024

/**
 * What a zip says of its entries, from the central directory at its end (APPNOTE.TXT 4.3.12 and 4.3.16),
 * without unpacking anything; null where there is no directory that can be read. Zip64 is refused: no
 * spreadsheet that is small enough needs it.
 */
export async function listZipEntries(path: string): Promise<ZipEntry[] | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, endBytesMax))
    await file.read(tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
    if (end < 0 || tail.length < end + 22 || tail.readUInt32LE(end) !== endSignature) return null
    const bytes = tail.readUInt32LE(end + 12)
    const offset = tail.readUInt32LE(end + 16)
    if (bytes > directoryBytesMax || offset + bytes > size) return null
    const directory = Buffer.alloc(bytes)
    await file.read(directory, 0, bytes, offset)
    return readEntries(directory, tail.readUInt16LE(end + 10))
  } finally {
    await file.close()
  }
}

function readEntries(directory: Buffer, count: number): ZipEntry[] | null {
  const entries: ZipEntry[] = []
  let at = 0
  while (entries.length < count) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== entrySignature) return null
    const packedBytes = directory.readUInt32LE(at + 20)
    const inflatedBytes = directory.readUInt32LE(at + 24)
    const nameBytes = directory.readUInt16LE(at + 28)
    if (packedBytes === 0xffffffff || inflatedBytes === 0xffffffff) return null
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      packedBytes,
      inflatedBytes,
    })
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}
