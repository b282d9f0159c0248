import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AudioExtension, audioTypes } from './rules'
import type { StagedFile } from './staging'
import type { AudioFile, StoredAudio } from './storage'

/** `ab/abcd….mp3`: 256 folders keep each of them small. The name is made by us, never by a sender. */
export function placeIn(dir: string, { hash, extension }: AudioFile): string {
  return join(dir, hash.slice(0, 2), `${hash}.${extension}`)
}

/** The file of a name as `placeIn` makes it, or null where it is no such name. */
export function fileOfName(name: string): AudioFile | null {
  const [, hash, extension] = /^([0-9a-f]{64})\.([a-z0-9]{3})$/.exec(name) ?? []
  return hash && isAudioExtension(extension) ? { hash, extension } : null
}

function isAudioExtension(extension: string | undefined): extension is AudioExtension {
  return extension !== undefined && extension in audioTypes
}

/**
 * Renames a staged file to its place: there is never half a file under a hash. A file that is there already
 * has the same content and is replaced, which also makes it young again for the sweeper.
 */
export async function keepInFolder(
  dir: string,
  staged: StagedFile,
  extension: AudioExtension,
): Promise<AudioFile> {
  const file = { hash: staged.hash, extension }
  const place = placeIn(dir, file)
  await mkdir(dirname(place), { recursive: true })
  await rename(staged.path, place)
  // A rename survives a power failure once the folder that holds it, and the one above, are on the disk.
  await syncFolder(dirname(place))
  await syncFolder(dir)
  return file
}

/** Writes down what a folder names, so that a rename in it survives a power failure. */
export async function syncFolder(dir: string): Promise<void> {
  // Windows opens no folders, and writes their entries down by itself.
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function statIn(dir: string, file: AudioFile): Promise<StoredAudio | null> {
  const found = await stat(placeIn(dir, file)).catch(absent)
  return found && { ...file, sizeBytes: found.size, modifiedAt: found.mtime }
}

export async function removeFromFolder(dir: string, file: AudioFile): Promise<void> {
  await rm(placeIn(dir, file), { force: true })
}

export async function* listFolder(dir: string): AsyncGenerator<StoredAudio> {
  const folders = await readdir(dir).catch(() => [])
  for (const folder of folders.filter((each) => /^[0-9a-f]{2}$/.test(each))) {
    for (const name of await readdir(join(dir, folder))) {
      const file = fileOfName(name)
      const found = file && (await statIn(dir, file))
      if (found) yield found
    }
  }
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
