import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '#src/app-error'
import { workbookEntriesMax, workbookInflatedBytesMax, workbookRatioMax } from '../rules'

export type Zip = {
  has(name: string): boolean
  /** Streams the unpacked bytes of a part. Fails if their number differs from the one in the directory. */
  read(name: string): Promise<Readable>
}

/**
 * Opens a zip whose directory states a safe unpacked size, without unpacking anything. Throws `invalid` with the fix
 * for a damaged zip or a zip bomb.
 */
export async function openZip(path: string): Promise<Zip> {
  const zip = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw damaged(cause)
  })
  const entries = await listEntries(zip)
  return {
    has: (name) => entries.has(name),
    async read(name) {
      const entry = entries.get(name)
      if (!entry) throw damaged()
      return zip.openReadStreamPromise(entry)
    },
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > workbookEntriesMax) throw tooMuch(`holds ${zip.entryCount.toLocaleString('en')} parts`)
  const entries = new Map<string, Entry>()
  let inflated = 0
  let packed = 0
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry)
      inflated += entry.uncompressedSize
      packed += entry.compressedSize
    }
  } catch (cause) {
    throw damaged(cause)
  }
  const megabytes = Math.ceil(inflated / 1024 / 1024)
  if (inflated > workbookInflatedBytesMax) throw tooMuch(`unpacks to ${megabytes} MB`)
  if (megabytes > 1 && inflated / Math.max(1, packed) > workbookRatioMax)
    throw tooMuch(`unpacks to ${megabytes} MB, more than ${workbookRatioMax} times its size`)
  return entries
}

function damaged(cause?: unknown): AppError {
  return new AppError(
    'invalid',
    'This .xlsx is damaged: its parts cannot be found. Save it again from a spreadsheet program.',
    { cause },
  )
}

function tooMuch(what: string): AppError {
  return new AppError(
    'invalid',
    `This spreadsheet ${what}, more than is safe to open. Save it as CSV UTF-8 instead.`,
  )
}
