import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkAudio } from '#src/audio-format/check-audio'
import { sha256 } from '#src/security/keyed-hash'
import { ProviderFailure } from './provider'

/** A checked audio chunk of a provider; `note` are the data beside the audio. */
export type AudioChunk = { path: string; durationSeconds: number; note: unknown }

/**
 * Audio chunks that were paid for, by a hash of their request: a narration that is retried after a crash does not pay
 * twice. They are stored with the work folders, and swept with them after an idle hour.
 */
export function chunkFolder(dataDir: string) {
  const folder = join(dataDir, 'speaking', 'takes')
  const pathOf = (request: string) => join(folder, `${sha256(request)}.mp3`)

  return {
    async find(request: string): Promise<AudioChunk | null> {
      const path = pathOf(request)
      const noteFile = Bun.file(`${path}.json`)
      if (!(await noteFile.exists()) || !(await Bun.file(path).exists())) return null
      return { path, ...(await noteFile.json()) }
    },

    /** Checks the audio and stores it. Throws `answer` where it is no MP3, or a truncated one. */
    async store(
      request: string,
      provider: string,
      mp3: Uint8Array<ArrayBuffer>,
      note: unknown,
    ): Promise<AudioChunk> {
      await mkdir(folder, { recursive: true })
      const path = pathOf(request)
      // The audio first, the note last: a chunk without its note does not count.
      const arriving = join(folder, `${crypto.randomUUID()}.mp3`)
      await Bun.write(arriving, mp3)
      try {
        const durationSeconds = await lengthOf(arriving, provider)
        await rename(arriving, path)
        await Bun.write(`${path}.json.new`, JSON.stringify({ durationSeconds, note }))
        await rename(`${path}.json.new`, `${path}.json`)
        return { path, durationSeconds, note }
      } catch (error) {
        await rm(arriving, { force: true })
        throw error
      }
    },

    async remove(paths: readonly string[]): Promise<void> {
      await Promise.all(
        paths.flatMap((path) => [rm(path, { force: true }), rm(`${path}.json`, { force: true })]),
      )
    },
  }
}
export type ChunkFolder = ReturnType<typeof chunkFolder>

async function lengthOf(path: string, provider: string): Promise<number> {
  const checked = await checkAudio(path, 'take.mp3').catch((cause) => {
    throw new ProviderFailure(
      'answer',
      `${provider} sent what is no whole MP3. It is asked again at the next try.`,
      { cause },
    )
  })
  if (checked.warnings.some((warning) => warning.includes('middle of a frame'))) throw cutOff(provider)
  return checked.durationSeconds
}

export function cutOff(provider: string): ProviderFailure {
  return new ProviderFailure(
    'answer',
    `${provider} sent sound that is cut off. It is asked again at the next try.`,
  )
}
