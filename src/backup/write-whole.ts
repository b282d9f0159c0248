import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from '#src/app-error'
import { isDiskFull } from '#src/disk/room'
import { syncFolder } from '#src/storage/audio-folder'
import { writeAll } from '#src/storage/staging'

/**
 * Writes a stream to `path`, mode 0600: beside it first, flushed to the disk, then renamed, so that a partial file
 * never has its name. Returns its size in bytes. Throws `invalid` where nothing can be written.
 */
export async function writeWhole(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const half = `${resolve(path)}.${randomUUID().slice(0, 8)}.part`
  const handle = await open(half, 'wx', 0o600).catch((error) => {
    throw new AppError('invalid', `${path} cannot be written. Is there such a folder, and is it yours?`, {
      cause: error,
    })
  })
  try {
    let sizeBytes = 0
    for await (const chunk of source) {
      await writeAll(handle, chunk)
      sizeBytes += chunk.byteLength
    }
    await handle.sync()
    await handle.close()
    await rename(half, path)
    await syncFolder(dirname(resolve(path)))
    return sizeBytes
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(half, { force: true })
    throw isDiskFull(error)
      ? new AppError(
          'unavailable',
          `There is no room for ${path}, or its disk fails. Free some space, or name another disk.`,
          {
            cause: error,
          },
        )
      : error
  }
}
