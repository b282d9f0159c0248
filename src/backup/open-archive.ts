import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Refusal } from '#src/refusal'
import { type Manifest, parseManifest } from './manifest'
import { archiveFilesMax, archiveNames, manifestBytesMax, manifestName } from './rules'

export type Archive = {
  manifest: Manifest
  names: ReadonlySet<string>
  /** The bytes of a file in it. Throws `unreadable` where there is none of that name. */
  read(name: string): Promise<Readable>
  close(): void
}

/**
 * Opens a backup and reads its manifest; nothing is unpacked. Throws `unreadable`, saying what to do, for what
 * is no backup, is cut off, was made by a newer program, or holds a file that we do not write.
 */
export async function openArchive(path: string): Promise<Archive> {
  if (!(await Bun.file(path).exists())) throw new Refusal('not_found', `There is no file ${path}.`)
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
    if ((entries.get(manifestName)?.uncompressedSize ?? 0) > manifestBytesMax)
      throw notWhole(path, 'its manifest is too large')
    const text = Buffer.concat(await Array.fromAsync(await read(manifestName)))
    // Of all else the manifest has hashes; of itself the zip has this.
    if (Bun.hash.crc32(text) !== entries.get(manifestName)?.crc32)
      throw notWhole(path, 'its manifest is not what was written')
    const manifest = parseManifest(text.toString())
    return { manifest, names: new Set(entries.keys()), read, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** What is said of a file that is not as it was written. */
export function notWhole(path: string, why: string, cause?: unknown): Refusal {
  return new Refusal(
    'unreadable',
    `${path} is no whole backup of Nocturne: ${why}. Copy it again from where it was made, or take another one.`,
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

/** We pack tables ourselves, so everything lies in the zip as it is: what is packed by the zip is not ours. */
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
    throw error instanceof Refusal ? error : notWhole(path, 'its list of files cannot be read', error)
  }
  if (!entries.has(manifestName)) throw notWhole(path, 'it has no manifest')
  return entries
}
