import { access, constants, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { shortageOf } from '#db/failures'
import { AppError } from '#src/app-error'
import type { Log } from '#src/process/log'
import { type RepeatedWork, runEvery } from '#src/process/run-every'
import { reserveBytes, roomKnownSeconds, roomWatchSeconds, shortageWords } from './rules'

/** `freeBytes` is null where that is unknown. */
type Room = { freeBytes: number | null; isWritable: boolean }

/** Free bytes in `folder`, cached for a few seconds; null where that is unknown. */
export async function findFreeBytes(folder: string): Promise<number | null> {
  return (await findRoom(folder)).freeBytes
}

const findRoom = (folder: string) => answers.memo(resolve(folder))

/** By folder: an upload asks for each piece, and only DATA_DIR and the temporary folder are asked about. */
const answers = new LRUCache<string, Promise<Room>>({
  max: 16,
  ttl: roomKnownSeconds * 1_000,
  memoMethod: readRoom,
})

/** A folder that does not exist yet will be on the disk of its parent. */
async function readRoom(path: string): Promise<Room> {
  try {
    const { bavail, bsize } = await statfs(path)
    return { freeBytes: bavail * bsize, isWritable: await isWritable(path) }
  } catch {
    return path === dirname(path) ? { freeBytes: null, isWritable: true } : readRoom(dirname(path))
  }
}

/** The kernel lets a disk that has failed be read alone, and a folder may belong to somebody else. */
function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Whether so many more bytes can be written and leave the reserve free. */
export async function hasRoom(folder: string, bytes = 0): Promise<boolean> {
  const { freeBytes, isWritable } = await findRoom(folder)
  return isWritable && (freeBytes === null || freeBytes >= bytes + reserveBytes)
}

/** Throws `unavailable` where so many bytes cannot be written or would use the reserve: before any is written. */
export async function requireRoom(folder: string, bytes = 0): Promise<void> {
  if (!(await hasRoom(folder, bytes))) throw new NoRoom()
}

class NoRoom extends AppError {
  constructor() {
    const { message, retryAfterSeconds } = shortageWords.disk
    super('unavailable', message, { retryAfterSeconds })
  }
}

/** Whether an error was caused by the disk: the operation can be retried when that takes writes again. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof NoRoom || shortageOf(error) === 'disk'
}

/** Logs once that the disk is full or takes no writes, and once that it has space again. */
export function watchRoom({ env, log }: { env: { dataDir: string }; log: Log }): RepeatedWork {
  let isKnownFull = false
  return runEvery(
    { seconds: roomWatchSeconds, first: 'now', failure: 'the disk cannot be asked for its room', log },
    async () => {
      const isFull = !(await hasRoom(env.dataDir))
      const { freeBytes, isWritable } = await findRoom(env.dataDir)
      const reason = isWritable ? 'the disk is full' : 'the disk takes no writes'
      if (isFull && !isKnownFull) log.error(reason, { freeBytes, reserveBytes })
      if (!isFull && isKnownFull) log.info('the disk has room again', { freeBytes })
      isKnownFull = isFull
    },
  )
}
