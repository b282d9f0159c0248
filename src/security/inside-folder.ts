import type { Stats } from 'node:fs'
import { constants, lstat, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Thrown if a file in one of our folders may not be read; the message is for an operator. */
export class NotInside extends Error {}

export type FileInside = {
  /** The real path, with links resolved. */
  path: string
  stats: Stats
}

/**
 * Finds the regular file of a name in a folder. The folder may be a link (a library on another disk), and so may the
 * path to a file in it (Kubernetes mounts volumes like this). A link that leads out of the folder, a pipe, a device or
 * a folder is never opened. Throws `NotInside`, and the file system's errors, such as ENOENT for a missing file.
 */
export async function findInside(folder: string, name: string): Promise<FileInside> {
  const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
  if (!path.startsWith(home + sep)) throw new NotInside('It leads out of its folder.')
  const stats = await lstat(path)
  requireOrdinary(stats)
  return { path, stats }
}

/** Reads the first `bytesMax` bytes of a file that `findInside` found. Throws if it has been replaced since. */
export async function readInside({ path, stats }: FileInside, bytesMax: number): Promise<Uint8Array> {
  // Non-blocking, so that opening a pipe that has replaced the file does not hang and is detected.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = await handle.stat()
    requireOrdinary(opened)
    if (opened.ino !== stats.ino || opened.dev !== stats.dev)
      throw new NotInside('It was replaced while it was read.')
    const bytes = Buffer.alloc(Math.min(bytesMax, opened.size))
    const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function requireOrdinary(stats: Stats): void {
  if (stats.isDirectory()) throw new NotInside('It is a folder.')
  if (!stats.isFile()) throw new NotInside('It is no ordinary file.')
}
