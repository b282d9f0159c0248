import { crc32 } from 'node:zlib'

/** Files by their names. */
export type Files = Record<string, string | Uint8Array>

/** Packs files into a zip, compressed by libdeflate: tests pack hundreds of megabytes. */
export function zipOf(files: Files): Buffer {
  const locals: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content)
    const packed = Bun.deflateSync(plain, { library: 'libdeflate', level: 1 })
    const entry = {
      name: Buffer.from(name),
      crc: crc32(plain),
      packed: packed.byteLength,
      size: plain.byteLength,
    }
    const local = Buffer.concat([words(0x04034b50), headOf(entry), entry.name])
    locals.push(local, packed)
    // No comment, first disk, no attributes.
    directory.push(words(0x02014b50), shorts(20), headOf(entry), shorts(0, 0, 0), words(0, at), entry.name)
    at += local.byteLength + packed.byteLength
  }
  const index = Buffer.concat(directory)
  const count = Object.keys(files).length
  const end = [words(0x06054b50), shorts(0, 0, count, count), words(index.byteLength, at), shorts(0)]
  return Buffer.concat([...locals, index, ...end])
}

/** The fields that both headers of an entry have: version, compression method, and the sizes. */
function headOf(entry: { name: Buffer; crc: number; packed: number; size: number }): Buffer {
  const { name, crc, packed, size } = entry
  return Buffer.concat([shorts(20, 0, 8, 0, 0x21), words(crc, packed, size), shorts(name.byteLength, 0)])
}

function shorts(...values: number[]): Buffer {
  return Buffer.from(Uint16Array.from(values).buffer)
}

function words(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer)
}
