import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '#src/keyed-hash'
import { checkAudio } from '../check-audio'
import { ProviderFailure } from './provider'

/** A provider's recording, checked; `note` is what it told beside the sound. */
export type Take = { path: string; durationSeconds: number; note: unknown }

/**
 * Takes that were paid for, by the request that they answer: a narration that is tried again after a crash
 * does not pay twice. They lie with the work folders, and are swept with them after an idle hour.
 */
export function takeFolder(dataDir: string) {
  const folder = join(dataDir, 'speaking', 'takes')
  const pathOf = (request: string) => join(folder, `${sha256(request)}.mp3`)

  return {
    async find(request: string): Promise<Take | null> {
      const path = pathOf(request)
      const kept = Bun.file(`${path}.json`)
      if (!(await kept.exists()) || !(await Bun.file(path).exists())) return null
      return { path, ...(await kept.json()) }
    },

    /** Checks what came and keeps it. Throws `answer` where it is no MP3, or one that was cut off. */
    async keep(
      request: string,
      provider: string,
      mp3: Uint8Array<ArrayBuffer>,
      note: unknown,
    ): Promise<Take> {
      await mkdir(folder, { recursive: true })
      const path = pathOf(request)
      // The sound first, the note last: a take without its note does not count.
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
export type TakeFolder = ReturnType<typeof takeFolder>

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
