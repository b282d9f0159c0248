import { Database } from 'bun:sqlite'
import { AppError } from '#src/app-error'

/**
 * Runs `work` while no other process runs it with the same lock file. Waits up to 90 seconds.
 *
 * The lock is SQLite's, which uses the operating system's own: it is released the moment its process ends, however it
 * ends. With a file created by O_EXCL the next process would have to guess whether its owner still runs.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const file = new Database(path)
  try {
    await acquire(file, path, Date.now() + 90_000)
    return await work()
  } finally {
    file.close()
  }
}

/**
 * Acquires a free lock and holds it until it is released or the process ends. Returns null if another process has it.
 */
export function tryLock(path: string): Lock | null {
  const file = new Database(path)
  let isTaken = false
  try {
    isTaken = tryAcquire(file)
    return isTaken ? { release: () => file.close() } : null
  } finally {
    if (!isTaken) file.close()
  }
}

export type Lock = { release(): void }

async function acquire(file: Database, path: string, deadline: number): Promise<void> {
  while (!tryAcquire(file)) {
    if (Date.now() > deadline) {
      throw new AppError(
        'not_configured',
        `Another process has been starting or stopping the database for long (${path}). Stop it first.`,
      )
    }
    await Bun.sleep(20)
  }
}

function tryAcquire(file: Database): boolean {
  try {
    // A journal would be left behind as a second file if the process is killed.
    file.run('pragma journal_mode = memory')
    file.run('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return false
    throw error
  }
}
