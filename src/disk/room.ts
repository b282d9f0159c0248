import { access, constants, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { shortageOf } from '#db/failures'
import { AppError } from '#src/app-error'
import type { Log } from '#src/process/log'
import { type RepeatedWork, runEvery } from '#src/process/run-every'
import { reserveBytes, roomKnownSeconds, roomWatchSeconds, shortageWords } from './rules'

/** `freeBytes` is null if it is unknown. */
type Room = { freeBytes: number | null; isWritable: boolean }

/** Free bytes in `folder`, cached for a few seconds; null if unknown. */
export async function findFreeBytes(folder: string): Promise<number | null> {
  return (await findRoom(folder)).freeBytes
}

const findRoom = (folder: string) => answers.memo(resolve(folder))

/** Answers by folder: an upload asks for each chunk, and only about DATA_DIR and the temporary folder. */
const answers = new LRUCache<string, Promise<Room>>({
  max: 16,
  ttl: roomKnownSeconds * 1_000,
  memoMethod: readRoom,
})

/** Reads the free space of a folder. One that does not exist yet will be on the disk of its parent. */
async function readRoom(path: string): Promise<Room> {
  try {
    const { bavail, bsize } = await statfs(path)
    return { freeBytes: bavail * bsize, isWritable: await isWritable(path) }
  } catch {
    return path === dirname(path) ? { freeBytes: null, isWritable: true } : readRoom(dirname(path))
  }
}

/**
 * Whether a folder can be written. The kernel makes a failed disk read-only, and a folder may belong to another user.
 */
function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Whether so many more bytes can be written without using the reserve. */
export async function hasRoom(folder: string, bytes = 0): Promise<boolean> {
  const { freeBytes, isWritable } = await findRoom(folder)
  return isWritable && (freeBytes === null || freeBytes >= bytes + reserveBytes)
}

/** Throws `unavailable` if so many bytes cannot be written without using the reserve. Called before any is written. */
export async function requireRoom(folder: string, bytes = 0): Promise<void> {
  if (!(await hasRoom(folder, bytes))) throw new NoRoom()
}

class NoRoom extends AppError {
  constructor() {
    const { message, retryAfterSeconds } = shortageWords.disk
    super('unavailable', message, { retryAfterSeconds })
  }
}

/** Whether the disk caused an error, so that the operation can be retried once the disk takes writes again. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof NoRoom || shortageOf(error) === 'disk'
}

/** Logs once when the disk is full or takes no writes, and once when it has space again. */
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
