import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#src/refusal'

/** A file that was received whole and lies on this machine under a temporary name. */
export type StagedFile = { path: string; hash: string; sizeBytes: number }

/** A program that was killed leaves its temporary files; nothing takes an hour to receive and keep. */
export const stagedLeftSeconds = 3_600

const suffix = '.part'

/**
 * Writes a stream under a temporary name in `dir`, hashed (SHA-256) on the way and flushed to the disk.
 * The sender is not read faster than the disk takes it. Throws `too_large` past `bytesMax`; whatever fails,
 * the sender's going away too, nothing is left behind.
 */
export async function stage(
  dir: string,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<StagedFile> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, `${randomUUID()}${suffix}`)
  const handle = await open(path, 'wx', 0o600)
  try {
    const hasher = new Bun.CryptoHasher('sha256')
    let sizeBytes = 0
    for await (const chunk of source) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > bytesMax) throw tooLarge(bytesMax)
      hasher.update(chunk)
      await writeAll(handle, chunk)
    }
    await handle.sync()
    await handle.close()
    return { path, hash: hasher.digest('hex'), sizeBytes }
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(path, { force: true })
    throw isDiskFull(error) ? noRoom(error) : error
  }
}

export async function discardStaged(staged: Pick<StagedFile, 'path'>): Promise<void> {
  await rm(staged.path, { force: true })
}

/** Removes what a killed program left in `dir`; answers how many files that were. */
export async function sweepStaged(dir: string, olderThanSeconds = stagedLeftSeconds): Promise<number> {
  const names = await readdir(dir).catch(() => [])
  let removed = 0
  for (const name of names.filter((each) => each.endsWith(suffix))) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (!found || Date.now() - found.mtimeMs < olderThanSeconds * 1_000) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

/** A write may take less than it is given: the rest is given again. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let at = 0
  while (at < chunk.byteLength) at += (await handle.write(chunk, at)).bytesWritten
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

function noRoom(cause: unknown): Refusal {
  return new Refusal('unavailable', 'There is no room left for audio. Free some disk space and try again.', {
    cause,
    retryAfterSeconds: 60,
  })
}

function tooLarge(bytesMax: number): Refusal {
  const size =
    bytesMax < 1024 * 1024 ? `${Math.floor(bytesMax / 1024)} KB` : `${Math.floor(bytesMax / 1024 / 1024)} MB`
  return new Refusal(
    'too_large',
    `This file is larger than ${size}, the most that is taken. Export it with a lower bit rate.`,
  )
}
