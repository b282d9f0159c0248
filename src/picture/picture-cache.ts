import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { evictLeastRecent } from '#src/disk/evict'
import { sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import { discardStaged, stage, sweepStaged } from '#src/storage/staging'
import { rasterise } from './rasterise'
import { type Picture, pictureBytesMax, pictureKey } from './rules'

type PictureServices = Pick<Services, 'env' | 'stopping'>

/** Pictures in progress, by the path of their future file. */
const drawing = new Map<string, Promise<void>>()

/** The hash of everything that decides what a picture looks like, which names its file. */
export function pictureHash(picture: Picture): string {
  return sha256(pictureKey(picture))
}

/**
 * Returns the path of a picture's PNG under DATA_DIR, drawing it first if it is missing. Each machine has its own
 * files, and removes the least recently used. Throws as `rasterise` does, and `unavailable` on a full disk.
 */
export async function findPicture(services: PictureServices, picture: Picture): Promise<string> {
  const folder = join(services.env.dataDir, 'pictures')
  const path = join(folder, `${pictureHash(picture)}.png`)
  if (!(await markSeen(path))) await drawOnce(services, picture, { folder, path })
  return path
}

/** Whether the file exists. Updates its access time, since some file systems do not, so that it is evicted last. */
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
