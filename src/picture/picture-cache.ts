import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { evictLeastRecent } from '#src/disk/evict'
import { sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import { discardStaged, stage, sweepStaged } from '#src/storage/staging'
import { rasterise } from './rasterise'
import { type Picture, pictureBytesMax, pictureKey } from './rules'

type PictureServices = Pick<Services, 'env' | 'stopping'>

/** By the path of the file that each will be. */
const drawing = new Map<string, Promise<void>>()

/** Names a picture by all that decides what it looks like: another title is another file. */
export function pictureHash(picture: Picture): string {
  return sha256(pictureKey(picture))
}

/**
 * The path of a picture's PNG under DATA_DIR, drawn where it is not there. Each machine has its own, and removes the
 * least recently seen. Throws as `rasterise` does, and `unavailable` on a full disk.
 */
export async function findPicture(services: PictureServices, picture: Picture): Promise<string> {
  const folder = join(services.env.dataDir, 'pictures')
  const path = join(folder, `${pictureHash(picture)}.png`)
  if (!(await markSeen(path))) await drawOnce(services, picture, { folder, path })
  return path
}

/** Whether the file is there. What was seen a moment ago is removed last, on file systems without times of access too. */
async function markSeen(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found) await utimes(path, new Date(), found.mtime)
  return found !== null
}

type Place = { folder: string; path: string }

function drawOnce(services: PictureServices, picture: Picture, place: Place): Promise<void> {
  const running = drawing.get(place.path)
  if (running) return running
  const started = draw(services, picture, place).finally(() => drawing.delete(place.path))
  drawing.set(place.path, started)
  return started
}

/** More than any picture has. */
const bytesMax = 32 * 1024 * 1024

async function draw({ stopping }: PictureServices, picture: Picture, { folder, path }: Place): Promise<void> {
  await mkdir(folder, { recursive: true })
  await sweepStaged(folder)
  const staged = await stage(folder, rasterise(picture, stopping), bytesMax)
  try {
    await rename(staged.path, path)
  } catch (error) {
    await discardStaged(staged)
    throw error
  }
  await evict(folder)
}

async function evict(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png'))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const found = await stat(path).catch(() => null)
      return { path, sizeBytes: found?.size ?? 0, usedAtMs: found?.atimeMs ?? 0 }
    }),
  )
  await evictLeastRecent(files, pictureBytesMax, ({ path }) => rm(path, { force: true }))
}
