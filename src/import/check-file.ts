import { AppError } from '#src/app-error'
import { checkAudio } from '#src/audio-format/check-audio'
import type { RowProblem } from '#src/import/rows/row-problem'
import { type HeardWord, readHeardWords, timingsCharactersMax } from '#src/narration/timing/read-heard-words'
import type { StagedFile } from '#src/storage/staging'
import type { CheckedAudio } from './plan'

/** A checked file that accompanies the sheet: audio, timings for audio, or a file with a problem. */
export type CheckedFile =
  | { kind: 'audio'; fileName: string; audio: CheckedAudio }
  | { kind: 'timings'; fileName: string; heard: readonly HeardWord[] }
  | { kind: 'problem'; fileName: string; message: string }

/** Checks a staged file; changes nothing. */
export async function checkFile(staged: StagedFile, fileName: string): Promise<CheckedFile> {
  try {
    if (isTimings(fileName)) {
      return { kind: 'timings', fileName, heard: await readHeardWords(await readText(staged)) }
    }
    const { extension, durationSeconds, warnings } = await checkAudio(staged.path, fileName)
    const { hash, sizeBytes } = staged
    return {
      kind: 'audio',
      fileName,
      audio: { fileName, hash, extension, durationSeconds, sizeBytes, warnings },
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const message = isTimings(fileName) ? `${fileName}: ${error.message}` : error.message
    return { kind: 'problem', fileName, message }
  }
}

/** Joins audio with the timings of the same name, and collects the problems of the files. */
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
        : [`${fileName} has no matching audio. Give both the same name, such as moon.mp3 and moon.vtt.`],
    ),
  ]
  return { audio, problems: messages.map((message) => ({ row: 0, field: 'audio', message })) }
}

/** Whether a file holds timings. Its base name is that of its audio: moon.mp3, moon.vtt. */
function isTimings(fileName: string): boolean {
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
    throw new AppError('invalid', 'This file is too large for timings. Split it into parts.')
  return Bun.file(staged.path).text()
}
