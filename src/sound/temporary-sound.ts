import { open, rm } from 'node:fs/promises'
import { loudnessMeter } from './loudness'

/**
 * Synthesized speech on the disk until its loudness is measured: 16-bit integers, 44 KB per second, and a megabyte of
 * memory at any length.
 */
export type TemporarySound = {
  sampleRateHz: number
  readonly samples: number
  add(samples: Float32Array): Promise<void>
  integratedLufs(): number
  /** Yields all of the sound, or evenly spread pieces of it that are at most so many seconds together. */
  read(secondsMax?: number): AsyncGenerator<Float32Array>
  remove(): Promise<void>
}

const chunkBytes = 64 * 1024

/** Opens an empty temporary file at `path`; `remove` deletes it. */
export async function openTemporarySound(path: string, sampleRateHz: number): Promise<TemporarySound> {
  const file = await open(path, 'w+', 0o600)
  const meter = loudnessMeter(sampleRateHz)
  let samples = 0
  return {
    sampleRateHz,
    get samples() {
      return samples
    },
    async add(sound) {
      meter.add(sound)
      const whole = toWhole(sound)
      const bytes = new Uint8Array(whole.buffer)
      for (let at = 0; at < bytes.byteLength; ) {
        at += (await file.write(bytes, at, bytes.byteLength - at, samples * 2 + at)).bytesWritten
      }
      samples += whole.length
    },
    integratedLufs: meter.integratedLufs,
    async *read(secondsMax = Number.POSITIVE_INFINITY) {
      const bytes = new Uint8Array(chunkBytes)
      const every = Math.max(1, Math.ceil(samples / sampleRateHz / secondsMax))
      for (let at = 0; at < samples * 2; at += chunkBytes * every) {
        const { bytesRead } = await file.read(bytes, 0, Math.min(chunkBytes, samples * 2 - at), at)
        const whole = new Int16Array(bytes.buffer, 0, Math.floor(bytesRead / 2))
        yield toFloats(whole)
      }
    },
    async remove() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

function toWhole(sound: Float32Array): Int16Array {
  const whole = new Int16Array(sound.length)
  for (let at = 0; at < sound.length; at += 1) {
    whole[at] = Math.max(-32_768, Math.min(32_767, Math.round((sound[at] ?? 0) * 32_768)))
  }
  return whole
}

function toFloats(whole: Int16Array): Float32Array {
  const sound = new Float32Array(whole.length)
  for (let at = 0; at < whole.length; at += 1) sound[at] = (whole[at] ?? 0) / 32_768
  return sound
}
