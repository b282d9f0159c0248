import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AudioExtension, audioTypes } from '#src/narration/rules'
import { findInside, NotInside } from '#src/security/inside-folder'
import type { AudioFile, StoredAudio } from './audio-file'
import type { StagedFile } from './staging'

/**
 * The path of a file: `ab/abcd….mp3` in `dir`. The 256 subfolders keep each of them small. The name is made by us,
 * never by a client.
 */
export function placeIn(dir: string, { hash, extension }: AudioFile): string {
  return join(dir, nameOf({ hash, extension }))
}

function nameOf({ hash, extension }: AudioFile): string {
  return join(hash.slice(0, 2), `${hash}.${extension}`)
}

/** The file that a name made by `placeIn` stands for, or null for another name. */
export function fileOfName(name: string): AudioFile | null {
  const [, hash, extension] = /^([0-9a-f]{64})\.([a-z0-9]{3})$/.exec(name) ?? []
  return hash && isAudioExtension(extension) ? { hash, extension } : null
}

function isAudioExtension(extension: string | undefined): extension is AudioExtension {
  return extension !== undefined && extension in audioTypes
}

/**
 * Renames a staged file to its final path, so that a partial file never has a hash as its name. An existing file has
 * the same content and is replaced, which also renews its time for the sweeper.
 */
export async function moveIntoFolder(
  dir: string,
  staged: StagedFile,
  extension: AudioExtension,
): Promise<AudioFile> {
  const file = { hash: staged.hash, extension }
  const place = placeIn(dir, file)
  await mkdir(dirname(place), { recursive: true })
  await rename(staged.path, place)
  // A rename survives a power failure once the folder and its parent are flushed to the disk.
  await syncFolder(dirname(place))
  await syncFolder(dir)
  return file
}

/** Flushes a folder's entries, so that a rename in it survives a power failure. */
export async function syncFolder(dir: string): Promise<void> {
  // Windows cannot open folders, and flushes their entries by itself.
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Size and time of a stored file; null if it is missing or not a regular file of this folder. */
export async function statIn(dir: string, file: AudioFile): Promise<StoredAudio | null> {
  const found = await findInside(dir, nameOf(file)).catch(absent)
  return found && { ...file, sizeBytes: found.stats.size, modifiedAt: found.stats.mtime }
}

export async function removeFromFolder(dir: string, file: AudioFile): Promise<void> {
  await rm(placeIn(dir, file), { force: true })
}

/** The files of all folders, or of one. */
export async function* listFolder(dir: string, folder?: string): AsyncGenerator<StoredAudio> {
  const folders = folder === undefined ? await readdir(dir).catch(() => []) : [folder]
  for (const folder of folders.filter((each) => /^[0-9a-f]{2}$/.test(each))) {
    for (const name of await readdir(join(dir, folder)).catch(() => [])) {
      const file = fileOfName(name)
      const found = file && (await statIn(dir, file))
      if (found) yield found
    }
  }
}

/** Returns null for the error of a missing file; throws any other. */
export function absent(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  // A link to itself, or a file in the place of a folder, counts as missing.
  if (error instanceof NotInside || code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return null
  throw error
}
