/** The encoding of an MP4's audio, from its `esds`. */
export type SoundConfig = {
  /** 0x40 is MPEG-4 audio, 0x67 MPEG-2 AAC, 0x69 and 0x6b are MP3 (ISO 14496-1, 7.2.6.6.2). */
  codec: number
  /** For MPEG-4 audio: 2 is AAC-LC, 5 and 29 are HE-AAC (ISO 14496-3, 1.5.1.1); null if it is not stated. */
  objectType: number | null
}

const tags = { stream: 3, decoder: 4, specific: 5 }
const sbr = 5
const syncExtension = 0x2b7

/** Parses the content of an `esds` box; null if it is malformed. */
export function readSoundConfig(bytes: Uint8Array): SoundConfig | null {
  const stream = readDescriptor(bytes, 4)
  if (stream?.tag !== tags.stream) return null
  const flags = bytes[stream.at + 2] ?? 0
  const urlBytes = flags & 0x40 ? 1 + (bytes[stream.at + 3] ?? 0) : 0
  const decoder = readDescriptor(
    bytes,
    stream.at + 3 + (flags & 0x80 ? 2 : 0) + urlBytes + (flags & 0x20 ? 2 : 0),
  )
  if (decoder?.tag !== tags.decoder || decoder.end > bytes.byteLength) return null
  const specific = readDescriptor(bytes, decoder.at + 13)
  const config =
    specific?.tag === tags.specific ? bytes.subarray(specific.at, specific.end) : new Uint8Array()
  return { codec: bytes[decoder.at] ?? 0, objectType: config.byteLength > 1 ? readObjectType(config) : null }
}

/** Reads a descriptor's tag, and its length, which is in bytes of seven bits. */
function readDescriptor(bytes: Uint8Array, from: number): { tag: number; at: number; end: number } | null {
  const tag = bytes[from]
  let length = 0
  for (let at = from + 1; at < from + 5; at += 1) {
    const byte = bytes[at]
    if (tag === undefined || byte === undefined) return null
    length = (length << 7) | (byte & 127)
    if (byte < 128) return { tag, at: at + 1, end: at + 1 + length }
  }
  return null
}

/**
 * The object type in an AudioSpecificConfig (1.6.2.1). HE-AAC is signalled either first, or in an extension after the
 * part that older decoders read.
 */
function readObjectType(config: Uint8Array): number {
  const bits = Array.from(config, (byte) => byte.toString(2).padStart(8, '0')).join('')
  let at = 0
  const readBits = (count: number) => {
    at += count
    return Number.parseInt(bits.slice(at - count, at) || '0', 2)
  }
  const readType = () => {
    const type = readBits(5)
    return type === 31 ? 32 + readBits(6) : type
  }
  const type = readType()
  if (readBits(4) === 15) readBits(24)
  readBits(4 + 3)
  return type === 2 && readBits(11) === syncExtension && readType() === sbr && readBits(1) === 1 ? sbr : type
}
