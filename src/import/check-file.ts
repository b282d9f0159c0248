import { checkAudio } from '#src/narration/check-audio'
import { type HeardWord, readHeardWords, timingsCharactersMax } from '#src/narration/read-heard-words'
import type { StagedFile } from '#src/narration/staging'
import { Refusal } from '#src/refusal'
import type { RowProblem } from './decode-row'
import type { CheckedAudio } from './plan'

/** A file beside the sheet that was looked at: audio, the timings of some, or what is wrong with it. */
export type CheckedFile =
  | { kind: 'audio'; fileName: string; audio: CheckedAudio }
  | { kind: 'timings'; fileName: string; heard: readonly HeardWord[] }
  | { kind: 'problem'; fileName: string; message: string }

/** Looks at a staged file; changes nothing. */
export async function checkFile(staged: StagedFile, fileName: string): Promise<CheckedFile> {
  try {
    if (isTimings(fileName)) {
      return { kind: 'timings', fileName, heard: readHeardWords(await readText(staged)) }
    }
    const { extension, durationSeconds } = await checkAudio(staged.path, fileName)
    const { hash, sizeBytes } = staged
    return { kind: 'audio', fileName, audio: { fileName, hash, extension, durationSeconds, sizeBytes } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = isTimings(fileName) ? `${fileName}: ${error.message}` : error.message
    return { kind: 'problem', fileName, message }
  }
}

/** The audio with the timings that lie beside it, and what is wrong with any of the files. */
export function gatherAudio(files: readonly CheckedFile[]): {
  audio: CheckedAudio[]
  problems: RowProblem[]
} {
  const heard = new Map(
    files.flatMap((file) => (file.kind === 'timings' ? [[baseOf(file.fileName), file] as const] : [])),
  )
  const audio = files.flatMap((file) => {
    if (file.kind !== 'audio') return []
    const found = heard.get(baseOf(file.fileName))
    return [found ? { ...file.audio, heard: found.heard } : file.audio]
  })
  const bases = new Set(audio.map(({ fileName }) => baseOf(fileName)))
  const messages = [
    ...files.flatMap((file) => (file.kind === 'problem' ? [file.message] : [])),
    ...[...heard].flatMap(([base, { fileName }]) =>
      bases.has(base)
        ? []
        : [`${fileName} has no audio beside it. Name both alike, such as moon.mp3 and moon.vtt.`],
    ),
  ]
  return { audio, problems: messages.map((message) => ({ row: 0, field: 'audio', message })) }
}

/** A file of timings lies beside its audio under the same name: moon.mp3, moon.vtt. */
export function isTimings(fileName: string): boolean {
  return /\.(vtt|srt|json)$/i.test(fileName)
}

function baseOf(fileName: string): string {
  return fileName
    .replace(/^.*[\\/]/, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .toLowerCase()
}

async function readText(staged: StagedFile): Promise<string> {
  if (staged.sizeBytes > timingsCharactersMax)
    throw new Refusal('invalid', 'This file is too large for timings. Cut it into parts.')
  return Bun.file(staged.path).text()
}
