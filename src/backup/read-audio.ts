import type { AudioStorage } from '#src/narration/storage'
import { Refusal } from '#src/refusal'
import type { AudioInBackup, Manifest } from './manifest'

type AudioOptions = {
  withoutAudio?: boolean
  onProgress?: (step: string, done: number, total: number) => void
}

/**
 * The audio that the manifest names, file after file, and writes into it what became of each: a file that is
 * missing, or whose bytes are not what its hash says, is no reason to have no backup of the rest.
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
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  }
}
