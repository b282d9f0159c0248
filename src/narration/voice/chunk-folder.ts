import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkAudio } from '#src/audio-format/check-audio'
import { sha256 } from '#src/security/keyed-hash'
import { type AudioChunk, type AudioChunks, ProviderFailure, type SentAudio } from './provider'

/**
 * The folder that stores the chunks of a job until its narration is attached, so that a retry after a crash does not
 * pay twice. It is swept with the work folders after an hour without use.
 */
export function chunkPathOf(dataDir: string, jobId: string): string {
  return join(dataDir, 'speaking', `chunks-${jobId}`)
}

/** Stores the audio chunks of one narration in a folder, by a hash of their request. */
export function chunkFolder(folder: string): AudioChunks {
  const underWay = new Map<string, Promise<AudioChunk>>()
  const pathOf = (request: string) => join(folder, `${sha256(request)}.mp3`)

  async function find(request: string): Promise<AudioChunk | null> {
    const path = pathOf(request)
    const noteFile = Bun.file(`${path}.json`)
    if (!(await noteFile.exists()) || !(await Bun.file(path).exists())) return null
    return { path, ...(await noteFile.json()) }
  }

  /** Throws ProviderFailure of kind `answer` if the audio is no MP3, or is truncated. */
  async function store(request: string, provider: string, answer: SentAudio): Promise<AudioChunk> {
    const { mp3, note, secondsMin } = answer
    await mkdir(folder, { recursive: true })
    const path = pathOf(request)
    const arriving = join(folder, `${crypto.randomUUID()}.mp3`)
    await Bun.write(arriving, mp3)
    try {
      const durationSeconds = await lengthOf(arriving, provider)
      if (durationSeconds < secondsMin) throw cutOff(provider)
      // The audio is written first and the note last: a chunk without its note does not count.
      await rename(arriving, path)
      await Bun.write(`${arriving}.json`, JSON.stringify({ durationSeconds, note }))
      await rename(`${arriving}.json`, `${path}.json`)
      return { path, durationSeconds, note }
    } catch (error) {
      await rm(arriving, { force: true })
      throw error
    }
  }

  return {
    obtain(request, provider, ask) {
      const same = underWay.get(request)
      if (same) return same
      const getting = find(request)
        .then(async (stored) => stored ?? store(request, provider, await ask()))
        .finally(() => underWay.delete(request))
      underWay.set(request, getting)
      return getting
    },
  }
}

async function lengthOf(path: string, provider: string): Promise<number> {
  const checked = await checkAudio(path, 'take.mp3').catch((cause) => {
    throw new ProviderFailure(
      'answer',
      `${provider} sent an incomplete MP3. It is asked again at the next try.`,
      { cause },
    )
  })
  if (checked.warnings.some((warning) => warning.includes('middle of a frame'))) throw cutOff(provider)
  return checked.durationSeconds
}

function cutOff(provider: string): ProviderFailure {
  return new ProviderFailure(
    'answer',
    `${provider} sent audio that is cut off. It is asked again at the next try.`,
  )
}
