import type { Stats } from 'node:fs'
import { constants, lstat, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** The reason why a file in a folder of ours is not read, for an operator. */
export class NotInside extends Error {}

export type FileInside = {
  /** The real path, with links resolved. */
  path: string
  stats: Stats
}

/**
 * The regular file of a name in a folder. The folder itself may be a link (a library on another disk) and so may the
 * path to a file within it (Kubernetes mounts volumes so); a link that leads out, a pipe, a device or a folder is
 * never opened. Throws `NotInside`, and the file system's errors, ENOENT where there is none.
 */
export async function findInside(folder: string, name: string): Promise<FileInside> {
  const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
  if (!path.startsWith(home + sep)) throw new NotInside('It leads out of its folder.')
  const stats = await lstat(path)
  requireOrdinary(stats)
  return { path, stats }
}

/** The first `bytesMax` bytes of a file that `findInside` found, which is refused if it is another one by now. */
export async function readInside({ path, stats }: FileInside, bytesMax: number): Promise<Uint8Array> {
  // Non-blocking, so that a pipe that replaced it opens at once too, and is detected.
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
