import type { AppError } from '#src/app-error'
import type { AudioExtension } from '#src/narration/rules'
import { refusedField } from '#src/shape/invalid-field'
import { type FileWindow, withFileWindow } from '#src/storage/file-window'
import { type Content, contentHeadBytes, nameContent } from './name-content'
import { walkM4a } from './walk-m4a'
import { walkMp3 } from './walk-mp3'
import { walkWav } from './walk-wav'
import type { WalkedAudio, WalkProblem } from './walked-audio'

const walks: Record<AudioExtension, (file: FileWindow) => Promise<WalkedAudio | WalkProblem>> = {
  mp3: walkMp3,
  wav: walkWav,
  m4a: walkM4a,
}

/**
 * Checks that the file at `path`, uploaded as `fileName`, is audio that browsers play. Its name, first bytes and frames
 * have to agree; for a name without an extension, the first bytes decide. Reads the file once, with bounded memory.
 * Returns its type and its measured length. Throws `invalid` with the problem and a way to fix it.
 */
export async function checkAudio(path: string, fileName: string): Promise<WalkedAudio> {
  const shown = shownName(fileName)
  return withFileWindow(path, async (file) => {
    if (file.sizeBytes === 0) throw refused(`${shown} is empty. Choose the file again.`)
    const content = await nameContent((await file.read(0, contentHeadBytes)).slice())
    const extension = typeOf(shown, content)
    if (content.kind === 'other')
      throw refused(`${shown} is not ${called[extension]}: its content is ${content.name}. ${exportAgain}`)
    if (content.kind !== 'unknown' && content.kind !== extension) {
      throw refused(
        `${shown} is not ${called[extension]}: its content is ${called[content.kind]}. Name it .${content.kind}, or export it again as ${extension.toUpperCase()}.`,
      )
    }
    const walked = await walks[extension](file)
    if ('problem' in walked) throw refused(`${shown} cannot be used: ${walked.problem}. ${exportAgain}`)
    return walked
  })
}

const called: Record<AudioExtension, string> = { mp3: 'an MP3', wav: 'a WAV', m4a: 'an M4A' }
const exportAgain = 'Export it again as MP3, WAV or M4A.'

/** The last segment of a file name, without control characters, and short enough for a sentence. */
export function shownName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? ''
  const plain = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  return plain.length > 100 ? `${plain.slice(0, 60)}…${plain.slice(-35)}` : plain || 'The file'
}

/** The type that a file has to be: by its name, or by its first bytes if the name has no extension. */
function typeOf(shown: string, content: Content): AudioExtension {
  const named = /\.([a-z0-9]+)$/i.exec(shown)?.[1]?.toLowerCase()
  const type = named ?? content.kind
  if (type === 'mp3' || type === 'wav' || type === 'm4a') return type
  if (named === undefined && content.kind === 'other')
    throw refused(`${shown} is not audio: its content is ${content.name}. ${exportAgain}`)
  throw refused(`${shown} is not accepted: MP3, WAV and M4A are. Export it again as one of these.`)
}

function refused(message: string): AppError {
  return refusedField('audioFile', message)
}
