import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from '#src/app-error'
import { isDiskFull } from '#src/disk/room'
import { syncFolder } from './audio-folder'
import { writeAll } from './staging'

/** Who may read a file that is written: its owner alone, or whoever the umask allows. */
const fileModes = { private: 0o600, shared: 0o666 } as const

/** A file that has its name only once it is complete. */
export type WholeFile = {
  write(chunk: Uint8Array): Promise<void>
  /** Flushes it to the disk and, unless it is stopped meanwhile, gives it its name in the place of what had it. */
  commit(stop?: AbortSignal): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}

/**
 * Writes a stream to `path` by `openWhole`. Returns its size in bytes. Throws `unavailable` on a full disk, and the
 * reason of `stop` once that is aborted, with nothing left behind.
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

/** Files that have no name yet: a process that is ended at once, as by a second Ctrl-C, leaves none of them. */
const unfinished = new Set<string>()
process.once('exit', () => {
  for (const half of unfinished) rmSync(half, { force: true })
})

/**
 * Opens a file beside `path`, which gets that name with `commit`: a partial file never has it, and what had it stays
 * until then. A link stays, and what it leads to is replaced. A pipe and a device, such as a shell's `>(…)`, are
 * written into as they are. Throws `invalid` where nothing can be written.
 */
export async function openWhole(path: string, access: keyof typeof fileModes): Promise<WholeFile> {
  if (path === '-')
    throw new AppError('invalid', 'This is written into a file, not to standard output. Name a file.')
  const present = await stat(path).catch(() => null)
  if (present?.isDirectory()) throw new AppError('invalid', `${path} is a folder. Name a file in it.`)
  const isStream = present !== null && !present.isFile()
  const place = present?.isFile() ? await realpath(path) : resolve(path)
  const half = isStream ? path : `${place}.${randomUUID().slice(0, 8)}.part`
  // What others may not read of the file that is replaced, they may not read of the new one.
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

/** What went wrong when `path` was written: of a full disk in words, as it is the one that was named. */
export function explainWriting(path: string, error: unknown): unknown {
  if (!isDiskFull(error)) return error
  const message = `There is no room for ${path}, or its disk fails. Free some space, or name another disk.`
  return new AppError('unavailable', message, { cause: error })
}
