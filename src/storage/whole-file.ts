import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from '#src/app-error'
import { isDiskFull } from '#src/disk/room'
import { syncFolder } from './audio-folder'
import { writeAll } from './staging'

/** Permissions of a written file: its owner alone may read it, or whoever the umask allows. */
const fileModes = { private: 0o600, shared: 0o666 } as const

/** A file that gets its name only once it is complete. */
export type WholeFile = {
  write(chunk: Uint8Array): Promise<void>
  /** Flushes the file to the disk and, unless `stop` is aborted meanwhile, renames it, replacing an existing file. */
  commit(stop?: AbortSignal): Promise<void>
  /** Removes the partial file. */
  discard(): Promise<void>
}

/**
 * Writes a stream to `path` by `openWhole`. Returns its size in bytes. Throws `unavailable` on a full disk, and the
 * reason of `stop` once it is aborted. A failure leaves nothing behind.
 */
export async function writeWhole(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { access = 'private', stop }: { access?: keyof typeof fileModes; stop?: AbortSignal | undefined } = {},
): Promise<number> {
  const file = await openWhole(path, access)
  try {
    let sizeBytes = 0
    for await (const chunk of source) {
      stop?.throwIfAborted()
      await file.write(chunk)
      sizeBytes += chunk.byteLength
    }
    await file.commit(stop)
    return sizeBytes
  } catch (error) {
    await file.discard()
    throw explainWriting(path, error)
  }
}

/** Partial files. They are removed even if the process ends at once, as after a second Ctrl-C. */
const unfinished = new Set<string>()
process.once('exit', () => {
  for (const half of unfinished) rmSync(half, { force: true })
})

/**
 * Opens a temporary file beside `path`, which `commit` renames to it. Until then an existing file at `path` stays as it
 * is, and a partial file never has that name. If `path` is a link, its target is replaced. A pipe or a device, such as
 * a shell's `>(…)`, is written to directly. Throws `invalid` if the path cannot be written.
 */
export async function openWhole(path: string, access: keyof typeof fileModes): Promise<WholeFile> {
  if (path === '-')
    throw new AppError('invalid', 'This is written into a file, not to standard output. Name a file.')
  const present = await stat(path).catch(() => null)
  if (present?.isDirectory()) throw new AppError('invalid', `${path} is a folder. Name a file in it.`)
  const isStream = present !== null && !present.isFile()
  const place = present?.isFile() ? await realpath(path) : resolve(path)
  const half = isStream ? path : `${place}.${randomUUID().slice(0, 8)}.part`
  // The new file is never readable by more users than the one it replaces.
  const mode = fileModes[access] & (present?.mode ?? 0o777)
  const handle = await open(half, isStream ? 'w' : 'wx', mode).catch((error) => {
    throw new AppError('invalid', `${path} cannot be written. Is there such a folder, and is it yours?`, {
      cause: error,
    })
  })
  if (!isStream) unfinished.add(half)
  return {
    write: (chunk) => writeAll(handle, chunk),
    async commit(stop) {
      if (isStream) return handle.close()
      await handle.sync()
      stop?.throwIfAborted()
      await handle.close()
      await rename(half, place)
      unfinished.delete(half)
      await syncFolder(dirname(place))
    },
    async discard() {
      await handle.close().catch(() => undefined)
      if (!unfinished.has(half)) return
      await rm(half, { force: true })
      unfinished.delete(half)
    },
  }
}

/**
 * The error to throw after writing to `path` failed: a full disk becomes `unavailable`, with a message that names the
 * path.
 */
export function explainWriting(path: string, error: unknown): unknown {
  if (!isDiskFull(error)) return error
  const message = `There is no room for ${path}, or its disk fails. Free some space, or name another disk.`
  return new AppError('unavailable', message, { cause: error })
}
