import { asciiAt, viewOf } from '#src/storage/file-window'

/** The four-byte header of an MP3 frame (ISO 11172-3, 2.4.2.3; ISO 13818-3). */
export type Mp3Frame = {
  sizeBytes: number
  samples: number
  sampleRateHz: number
  bitRateKbps: number
  channels: 1 | 2
  /** Version, layer and sample rate, which are the same in every frame of a stream. */
  signature: number
}

const bitRatesKbps = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const sampleRatesHz = [44_100, 48_000, 32_000] as const

export const frameHeaderBytes = 4

/**
 * Reads the frame of MPEG 1, 2 or 2.5 layer III that begins at `at`; null if none does. Free-format frames (without a
 * stated bit rate) are not recognised, since browsers do not play them.
 */
export function readFrame(bytes: Uint8Array, at: number): Mp3Frame | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes.subarray(at, at + frameHeaderBytes)
  const version = (b1 >> 3) & 3
  const layer = (b1 >> 1) & 3
  if (b0 !== 0xff || (b1 & 0xe0) !== 0xe0 || version === 1 || layer !== 1 || (b3 & 3) === 2) return null
  const isMpeg1 = version === 3
  const bitRateKbps = (isMpeg1 ? bitRatesKbps.mpeg1 : bitRatesKbps.mpeg2)[b2 >> 4]
  const fullRateHz = sampleRatesHz[(b2 >> 2) & 3]
  if (!bitRateKbps || !fullRateHz) return null
  const sampleRateHz = isMpeg1 ? fullRateHz : fullRateHz / (version === 2 ? 2 : 4)
  const samples = isMpeg1 ? 1152 : 576
  return {
    sizeBytes: Math.floor(((samples / 8) * bitRateKbps * 1_000) / sampleRateHz) + ((b2 >> 1) & 1),
    samples,
    sampleRateHz,
    bitRateKbps,
    channels: b3 >> 6 === 3 ? 1 : 2,
    signature: (b1 & 0xfe) | ((b2 & 0x0c) << 8),
  }
}

/** The encoder's tag in a silent first frame: the number of frames that follow, and of samples to cut at both ends. */
export type Mp3Index = { frames: number | null; delaySamples: number; paddingSamples: number }

/** Reads the Xing, Info or VBRI tag in the bytes of a first frame; null if the frame is plain audio. */
export function readIndex(bytes: Uint8Array, frame: Mp3Frame): Mp3Index | null {
  const sideInfoBytes =
    frame.samples === 1152 ? (frame.channels === 2 ? 32 : 17) : frame.channels === 2 ? 17 : 9
  const at = frameHeaderBytes + sideInfoBytes
  const tag = asciiAt(bytes, at)
  if ((tag === 'Xing' || tag === 'Info') && bytes.byteLength >= at + 8) return readXing(bytes, at)
  const vbriAt = frameHeaderBytes + 32
  if (asciiAt(bytes, vbriAt) === 'VBRI' && bytes.byteLength >= vbriAt + 18) {
    return { frames: viewOf(bytes).getUint32(vbriAt + 14), delaySamples: 0, paddingSamples: 0 }
  }
  return null
}

function readXing(bytes: Uint8Array, at: number): Mp3Index {
  const view = viewOf(bytes)
  const flags = view.getUint32(at + 4)
  const hasFrames = (flags & 1) !== 0 && bytes.byteLength >= at + 12
  // The flags say which fields follow: frames, bytes, a table of contents, the quality. LAME's own tag comes after
  // them.
  const lameAt = at + 8 + (flags & 1 && 4) + (flags & 2 && 4) + (flags & 4 && 100) + (flags & 8 && 4)
  const [b0 = 0, b1 = 0, b2 = 0] = bytes.subarray(lameAt + 21, lameAt + 24)
  const hasGaps = /^(LAME|Lavc|Lavf)/.test(asciiAt(bytes, lameAt)) && bytes.byteLength >= lameAt + 24
  return {
    frames: hasFrames ? view.getUint32(at + 8) : null,
    delaySamples: hasGaps ? (b0 << 4) | (b1 >> 4) : 0,
    paddingSamples: hasGaps ? ((b1 & 15) << 8) | b2 : 0,
  }
}
