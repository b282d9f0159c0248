import { createMp3Encoder } from 'wasm-media-encoders'

/** Real audio for tests: a quiet tone of `seconds`, mono, 44.1 kHz, as samples from -1 to 1. */
export function tone(seconds: number, hertz = 220): Float32Array {
  return Float32Array.from(
    { length: Math.round(seconds * 44_100) },
    (_, at) => 0.2 * Math.sin((2 * Math.PI * hertz * at) / 44_100),
  )
}

/** Encoded MP3s by length and pitch: encoding a minute takes a third of a second. */
const encoded = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** A real MP3 of that tone, 64 kb/s. `hertz` makes one file differ from another. */
export async function toneMp3(seconds: number, hertz = 220): Promise<Uint8Array<ArrayBuffer>> {
  const name = `${seconds} ${hertz}`
  const mp3 = encoded.get(name) ?? encode(tone(seconds, hertz))
  encoded.set(name, mp3)
  return (await mp3).slice()
}

async function encode(samples: Float32Array): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createMp3Encoder()
  encoder.configure({ channels: 1, sampleRate: 44_100, bitrate: 64 })
  const body = encoder.encode([samples]).slice()
  return Buffer.concat([body, encoder.finalize()])
}

/** A WAV (PCM, 16 bit, mono, 44.1 kHz) of that tone. */
export function toneWav(seconds: number): Uint8Array<ArrayBuffer> {
  const samples = Int16Array.from(tone(seconds), (sample) => Math.round(sample * 32_767))
  return Buffer.concat([wavHead(samples.byteLength), new Uint8Array(samples.buffer)])
}

/** The 44 bytes before the samples of such a WAV; `formatTag` 1 is PCM. */
export function wavHead(dataBytes: number, formatTag = 1): Uint8Array {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(Math.min(36 + dataBytes, 0xffffffff), 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(formatTag, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(44_100, 24)
  head.writeUInt32LE(88_200, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(dataBytes, 40)
  return head
}

/** One box of an MP4: its length, its name, its content. */
export function mp4Box(name: string, ...content: Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.byteLength, 0), 0)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

/** Consecutive 32-bit numbers, as in the tables of an MP4. */
export function words(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

/**
 * An M4A with the right structure, whose samples are zeros. It has one track of `handler` ("soun", "vide") and `format`
 * ("mp4a"), AAC-LC unless the AudioSpecificConfig `aac` says otherwise. A second has 43 samples of 100 bytes.
 */
export function m4aOf(
  seconds: number,
  { handler = 'soun', format = 'mp4a', aac = [0x12, 0x08], codec = 0x40 } = {},
): Uint8Array {
  const samples = Math.round((seconds * 44_100) / 1_024)
  const type = mp4Box('ftyp', Buffer.from('M4A \0\0\0\0M4A isom'))
  const entry = Buffer.alloc(28)
  entry.writeUInt16BE(1, 6)
  entry.writeUInt16BE(1, 16)
  entry.writeUInt16BE(16, 18)
  entry.writeUInt32BE(44_100 * 65_536, 24)
  const table = (chunkAt: number) =>
    mp4Box(
      'stbl',
      mp4Box('stsd', words(0, 1), mp4Box(format, entry, esds(codec, aac))),
      mp4Box('stts', words(0, 1, samples, 1_024)),
      mp4Box('stsz', words(0, 100, samples)),
      mp4Box('stco', words(0, 1, chunkAt)),
    )
  const movie = (chunkAt: number) =>
    mp4Box(
      'moov',
      mp4Box('mvhd', words(0, 0, 0, 44_100, samples * 1_024)),
      mp4Box(
        'trak',
        mp4Box(
          'mdia',
          mp4Box('mdhd', words(0, 0, 0, 44_100, samples * 1_024, 0)),
          mp4Box('hdlr', words(0, 0), Buffer.from(handler), words(0, 0, 0)),
          mp4Box('minf', table(chunkAt)),
        ),
      ),
    )
  const headBytes = type.byteLength + movie(0).byteLength + 8
  return Buffer.concat([type, movie(headBytes), mp4Box('mdat', Buffer.alloc(samples * 100))])
}

/**
 * The elementary stream descriptor, which says how the audio is encoded (ISO 14496-1, 7.2.6): three nested descriptors.
 */
function esds(codec: number, config: number[]): Uint8Array {
  const descriptor = (tag: number, content: number[]) => [tag, content.length, ...content]
  const decoder = [codec, 0x15, ...Array<number>(11).fill(0), ...descriptor(5, config)]
  return mp4Box('esds', Uint8Array.of(0, 0, 0, 0, ...descriptor(3, [0, 1, 0, ...descriptor(4, decoder)])))
}
