import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { syncFolder } from '#src/narration/audio-folder'
import { isDiskFull, writeAll } from '#src/narration/staging'
import { Refusal } from '#src/refusal'

/**
 * Writes a stream to `path`, mode 0600: beside it first, flushed to the disk, then renamed, so that there is
 * never half of it under its name. Answers how many bytes it has. Throws `invalid` where nothing can be written.
 */
export async function writeWhole(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const half = `${resolve(path)}.${randomUUID().slice(0, 8)}.part`
  const handle = await open(half, 'wx', 0o600).catch((error) => {
    throw new Refusal('invalid', `${path} cannot be written. Is there such a folder, and is it yours?`, {
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
      ? new Refusal(
          'unavailable',
          `There is no room for ${path}. Free some disk space, or name another disk.`,
          {
            cause: error,
          },
        )
      : error
  }
}
