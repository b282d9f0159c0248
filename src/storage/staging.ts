import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { requireRoom } from '#src/disk/room'

/** A completely received file on this machine, under a temporary name. */
export type StagedFile = { path: string; hash: string; sizeBytes: number }

/** Age at which a temporary file counts as left by a killed program: receiving and storing one never takes an hour. */
export const stagedLeftSeconds = 3_600

const suffix = '.part'

/**
 * Writes a stream to a temporary file in `dir`, computes its SHA-256 on the way, and flushes it to the disk. The source
 * is read no faster than the disk writes. Throws `too_large` past `bytesMax`, and `unavailable` on a full disk. Any
 * failure, such as a disconnecting client, leaves nothing behind. `path` is one of `stagingPath`.
 */
export async function stage(
  dir: string,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
  path = stagingPath(dir),
): Promise<StagedFile> {
  await requireRoom(dir)
  await mkdir(dir, { recursive: true })
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
    throw error
  }
}

/** An unused temporary path. */
export function stagingPath(dir: string): string {
  return join(dir, `${randomUUID()}${suffix}`)
}

export async function discardStaged(staged: Pick<StagedFile, 'path'>): Promise<void> {
  await rm(staged.path, { force: true })
}

/** Removes the files of killed programs in `dir`; returns how many. */
export async function sweepStaged(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => [])
  let removed = 0
  for (const name of names.filter((each) => each.endsWith(suffix))) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (!found || Date.now() - found.mtimeMs < stagedLeftSeconds * 1_000) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

/** Writes a whole chunk: a single write may be partial. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let at = 0
  while (at < chunk.byteLength) at += (await handle.write(chunk, at)).bytesWritten
}

function tooLarge(bytesMax: number): AppError {
  const size =
    bytesMax < 1024 * 1024 ? `${Math.floor(bytesMax / 1024)} KB` : `${Math.floor(bytesMax / 1024 / 1024)} MB`
  return new AppError(
    'too_large',
    `This file is larger than ${size}, the most that is accepted. Export it with a lower bit rate.`,
  )
}
