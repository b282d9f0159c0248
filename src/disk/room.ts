import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { shortageOf } from '#db/failures'
import { AppError } from '#src/app-error'
import type { Log } from '#src/process/log'
import { type RepeatedWork, runEvery } from '#src/process/run-every'
import { reserveBytes, roomKnownSeconds, roomWatchSeconds, shortageWords } from './rules'

/** Free bytes in `folder`, cached for a few seconds; null where that is unknown. */
export function findFreeBytes(folder: string): Promise<number | null> {
  const path = resolve(folder)
  return answers.memo(path)
}

/** By folder: an upload asks for each piece, and only DATA_DIR and the temporary folder are asked about. */
const answers = new LRUCache<string, Promise<number | null>>({
  max: 16,
  ttl: roomKnownSeconds * 1_000,
  memoMethod: readFreeBytes,
})

/** A folder that does not exist yet will be on the disk of its parent. */
async function readFreeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return path === dirname(path) ? null : readFreeBytes(dirname(path))
  }
}

/** Whether so many more bytes leave the reserve free. */
export async function hasRoom(folder: string, bytes = 0): Promise<boolean> {
  const freeBytes = await findFreeBytes(folder)
  return freeBytes === null || freeBytes >= bytes + reserveBytes
}

/** Throws `unavailable` where so many bytes would use the reserve: before anything is written. */
export async function requireRoom(folder: string, bytes = 0): Promise<void> {
  if (!(await hasRoom(folder, bytes))) throw new NoRoom()
}

class NoRoom extends AppError {
  constructor() {
    const { message, retryAfterSeconds } = shortageWords.disk
    super('unavailable', message, { retryAfterSeconds })
  }
}

/** Whether an error was caused by a lack of space: the operation can be retried when there is space again. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof NoRoom || shortageOf(error) === 'disk'
}

/** Logs once that the disk is full, and once that it has space again. */
export function watchRoom({ env, log }: { env: { dataDir: string }; log: Log }): RepeatedWork {
  let isKnownFull = false
  return runEvery(
    { seconds: roomWatchSeconds, first: 'now', failure: 'the disk cannot be asked for its room', log },
    async () => {
      const isFull = !(await hasRoom(env.dataDir))
      const freeBytes = await findFreeBytes(env.dataDir)
      if (isFull && !isKnownFull) log.error('the disk is full', { freeBytes, reserveBytes })
      if (!isFull && isKnownFull) log.info('the disk has room again', { freeBytes })
      isKnownFull = isFull
    },
  )
}
