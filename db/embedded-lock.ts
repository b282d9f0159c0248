import { Database } from 'bun:sqlite'

/**
 * Runs `work` while no other process is in it with the same lock file; waits up to `waitSeconds`.
 *
 * The lock is SQLite's, because that is the operating system's own: it is gone the moment its process is,
 * however it died. A file made with O_EXCL would leave the next starter to guess whether its owner lives.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, waitSeconds = 90): Promise<T> {
  const file = new Database(path)
  try {
    await take(file, path, Date.now() + waitSeconds * 1000)
    return await work()
  } finally {
    file.close()
  }
}

/** Takes a lock that nobody has and keeps it until it is released, or the process ends; null where somebody has it. */
export function tryLock(path: string): Lock | null {
  const file = new Database(path)
  let isTaken = false
  try {
    isTaken = tryTake(file)
    return isTaken ? { release: () => file.close() } : null
  } finally {
    if (!isTaken) file.close()
  }
}

export type Lock = { release(): void }

async function take(file: Database, path: string, deadline: number): Promise<void> {
  while (!tryTake(file)) {
    if (Date.now() > deadline) {
      throw new Error(
        `Another process has been starting or stopping the database for long (${path}). Stop it first.`,
      )
    }
    await Bun.sleep(20)
  }
}

function tryTake(file: Database): boolean {
  try {
    // A journal would stay behind as a second file when the process is killed.
    file.run('pragma journal_mode = memory')
    file.run('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return false
    throw error
  }
}
