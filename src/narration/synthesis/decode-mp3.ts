import { MPEGDecoder } from 'mpg123-decoder'
import { readFrame, readIndex } from '#src/audio-format/mp3-frame'
import { resample } from './resample'

/** Delay of encoder and decoder before the first sample, assumed for an MP3 that does not state it. */
const unsaidDelaySamples = 1_105

/**
 * Decodes a short MP3 to mono samples at `sampleRateHz`, beginning with the first real sample. The decoder cuts the
 * delay that an Info frame states; without such a frame the usual delay is cut here (25 ms at 44.1 kHz).
 */
export async function decodeMp3(path: string, sampleRateHz: number): Promise<Float32Array> {
  const bytes = await Bun.file(path).bytes()
  const decoder = new MPEGDecoder()
  await decoder.ready
  try {
    const decoded = decoder.decode(bytes)
    const mono = toMono(decoded.channelData)
    const sound = statesDelay(bytes) ? mono : mono.subarray(Math.min(mono.length, unsaidDelaySamples))
    return resample(sound, decoded.sampleRate, sampleRateHz)
  } finally {
    decoder.free()
  }
}

function toMono([left, right]: readonly Float32Array[]): Float32Array {
  if (!left) return new Float32Array()
  // Copied, because the samples are in the decoder's own memory, which is freed.
  return left.map((sample, at) => (right ? (sample + (right[at] ?? 0)) / 2 : sample))
}

/** Whether the first frame, within the first 64 KB, states the delay. */
function statesDelay(bytes: Uint8Array): boolean {
  const size = (at: number) => bytes[at] ?? 0
  const isTagged = size(0) === 0x49 && size(1) === 0x44 && size(2) === 0x33
  const tag = isTagged ? 10 + ((size(6) << 21) | (size(7) << 14) | (size(8) << 7) | size(9)) : 0
  for (let at = tag; at < Math.min(bytes.byteLength - 4, tag + 65_536); at += 1) {
    const frame = size(at) === 0xff ? readFrame(bytes, at) : null
    if (!frame) continue
    const index = readIndex(bytes.subarray(at, at + frame.sizeBytes), frame)
    return index !== null && index.delaySamples > 0
  }
  return false
}
