import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '#src/app-error'
import { type Manifest, parseManifest } from './manifest'
import { archiveFilesMax, archiveNames, manifestName, textBytesMax } from './rules'

export type Archive = {
  manifest: Manifest
  names: ReadonlySet<string>
  /** The bytes of a file in the archive. Throws `unreadable` if there is none of that name. */
  read(name: string): Promise<Readable>
  /** The text of a small file, verified against the zip's directory. */
  readText(name: string): Promise<string>
  close(): void
}

/**
 * Opens a backup and reads its manifest; decompresses nothing. Throws `unreadable`, with a way to fix it, for a file
 * that is not a backup, is truncated, was made by a newer program, or contains a file that this program does not write.
 */
export async function openArchive(path: string): Promise<Archive> {
  if (!(await Bun.file(path).exists())) throw new AppError('not_found', `There is no file ${path}.`)
  const zip = await open(path)
  try {
    const entries = await listEntries(zip, path)
    const read = async (name: string) => {
      const entry = entries.get(name)
      if (!entry) throw notWhole(path, `${name} is missing`)
      return zip.openReadStreamPromise(entry).catch((error) => {
        throw notWhole(path, `${name} cannot be read`, error)
      })
    }
    const readText = async (name: string) => {
      if ((entries.get(name)?.uncompressedSize ?? 0) > textBytesMax)
        throw notWhole(path, `${name} is too large`)
      const text = Buffer.concat(await Array.fromAsync(await read(name)))
      if (Bun.hash.crc32(text) !== entries.get(name)?.crc32)
        throw notWhole(path, `${name} is not what was written`)
      return text.toString()
    }
    const manifest = parseManifest(await readText(manifestName))
    return { manifest, names: new Set(entries.keys()), read, readText, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** The error for a file that differs from what was written. */
export function notWhole(path: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'unreadable',
    `${path} is not a complete backup of Nocturne: ${why}. Copy it again from where it was made, or take another one.`,
    { cause },
  )
}

async function open(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true })
  } catch (error) {
    throw notWhole(path, 'it is cut off, or something else', error)
  }
}

/**
 * Lists the entries of the zip. Each must be stored uncompressed, as we write them, since tables are compressed
 * beforehand.
 */
async function listEntries(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > archiveFilesMax) throw notWhole(path, 'it holds too many files')
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (!archiveNames.test(entry.fileName) || entries.has(entry.fileName) || entry.compressionMethod !== 0)
        throw notWhole(path, `it holds ${JSON.stringify(entry.fileName)}, which no backup does`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw error instanceof AppError ? error : notWhole(path, 'its list of files cannot be read', error)
  }
  if (!entries.has(manifestName)) throw notWhole(path, 'it has no manifest')
  return entries
}
