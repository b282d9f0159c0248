import { open } from 'node:fs/promises'
import { createMp3Encoder } from 'wasm-media-encoders'
import { id3Tag } from './id3-tag'
import { infoFrame } from './info-frame'

export type Mp3Writer = {
  add(samples: Float32Array): Promise<void>
  /** Completes the file; returns its length in seconds, without the encoder's padding. */
  finish(): Promise<number>
  /** Closes the incomplete file. */
  abandon(): Promise<void>
}

export const encodedRateHz = 44_100
/** For mono speech, 96 would take more bytes without an audible difference. */
const bitRateKbps = 64
/** With a constant bit rate, seeking is precise in every browser. */
const settings = { channels: 1, sampleRate: encodedRateHz, bitrate: bitRateKbps } as const

/**
 * Encodes mono samples at 44.1 kHz as a stream into one MP3 at `path`: 64 kb/s, with an ID3 tag and an Info frame, by
 * which players know its exact length and cut the encoder's padding at both ends.
 */
export async function writeMp3(path: string, tag: { title: string; comment: string }): Promise<Mp3Writer> {
  const encoder = await createMp3Encoder()
  encoder.configure(settings)
  const file = await open(path, 'w')
  const head = id3Tag(tag)
  const placeholder = infoFrame({ samples: 0, frames: 0, bytes: 0 })
  let at = head.byteLength + placeholder.byteLength
  let samplesIn = 0
  let bytesOut = 0
  const write = async (bytes: Uint8Array) => {
    if (bytes.byteLength === 0) return
    await file.write(bytes, 0, bytes.byteLength, at)
    at += bytes.byteLength
    bytesOut += bytes.byteLength
  }
  return {
    async add(samples) {
      samplesIn += samples.length
      await write(encoder.encode([samples]))
    },
    async finish() {
      await write(encoder.finalize())
      // Every frame of 1,152 samples has the same size, so the bytes give the number of frames.
      const frames = Math.round((bytesOut * 8 * encodedRateHz) / (bitRateKbps * 1_000 * 1_152))
      const first = infoFrame({ samples: samplesIn, frames, bytes: bytesOut + placeholder.byteLength })
      await file.write(Buffer.concat([head, first]), 0, head.byteLength + first.byteLength, 0)
      await file.sync()
      await file.close()
      return samplesIn / encodedRateHz
    },
    abandon: () => file.close(),
  }
}
