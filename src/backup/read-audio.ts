import { AppError } from '#src/app-error'
import type { AudioStorage } from '#src/storage/storage'
import type { AudioInBackup, Manifest } from './manifest'

type AudioOptions = {
  withoutAudio?: boolean
  onProgress?: (step: string, done: number, total: number) => void
}

/**
 * Yields the audio files of the manifest one after the other, and writes the state of each into the manifest. A missing
 * or corrupt file does not fail the backup of the rest.
 */
export async function* readAudio(
  storage: AudioStorage,
  manifest: Manifest,
  { withoutAudio = false, onProgress }: AudioOptions,
): AsyncGenerator<{ audio: AudioInBackup; chunks: AsyncIterable<Uint8Array> }> {
  if (withoutAudio) return
  for (const [at, audio] of manifest.audio.entries()) {
    const source = await open(storage, audio)
    if (source) yield { audio, chunks: check(audio, source) }
    else audio.state = 'missing'
    onProgress?.('audio', at + 1, manifest.audio.length)
  }
}

async function* check(audio: AudioInBackup, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hasher = new Bun.CryptoHasher('sha256')
  let sizeBytes = 0
  for await (const chunk of source) {
    hasher.update(chunk)
    sizeBytes += chunk.byteLength
    yield chunk
  }
  audio.state = hasher.digest('hex') === audio.hash ? 'whole' : 'spoilt'
  audio.sizeBytes = sizeBytes
}

async function open(storage: AudioStorage, audio: AudioInBackup): Promise<ReadableStream<Uint8Array> | null> {
  try {
    return await storage.read(audio)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
