import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { type Lock, tryLock } from '#db/embedded/lock'
import { jobs } from '#db/schema'
import { isId } from '#src/shape/id'

/**
 * The id under which this process leases jobs: the name of a file in DATA_DIR that it locks as long as it lives.
 * Processes that share the folder can test the lock to know for certain whether this process lives, even from another
 * container, where process ids mean nothing. Other processes wait for its leases to expire. Null if the file system
 * does not support locks.
 */
export function workerIdOf(dataDir: string): string | null {
  const own = ownHeartbeats.get(dataDir) ?? startHeartbeat(dataDir)
  if (own) ownHeartbeats.set(dataDir, own)
  return own?.id ?? null
}

type Heartbeat = { id: string; lock: Lock }
/** Never released, so the jobs of this process become free when it ends. */
const ownHeartbeats = new Map<string, Heartbeat>()

function startHeartbeat(dataDir: string): Heartbeat | null {
  const folder = folderOf(dataDir)
  try {
    mkdirSync(folder, { recursive: true })
    const id = newId()
    const lock = tryLock(join(folder, id))
    if (lock && existsSync(join(folder, id))) return { id, lock }
    // Another process has removed the file as stale before it was locked; the next attempt succeeds.
    lock?.release()
    return null
  } catch {
    return null
  }
}

/**
 * Ends the leases of workers whose processes have ended (killed, for example), so that their jobs are taken at once;
 * the attempt counts. A live process retains its leases, even one that hangs.
 */
export async function endStaleLeases(db: Executor, dataDir: string): Promise<void> {
  for (const id of othersIn(dataDir)) {
    const path = join(folderOf(dataDir), id)
    const lock = lockIfStale(path)
    if (!lock) continue
    try {
      await db
        .update(jobs)
        .set({ leasedUntil: sql`now()` })
        .where(and(eq(jobs.heldBy, id), eq(jobs.state, 'running')))
    } finally {
      lock.release()
    }
    // A file that cannot be removed stays, and has the same result the next time.
    await rm(path, { force: true }).catch(() => {})
  }
}

function othersIn(dataDir: string): string[] {
  const folder = folderOf(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => isId(name) && name !== ownHeartbeats.get(dataDir)?.id)
}

/**
 * Locks the file of another process. Null if that process lives, or may live: a file of another user may not be
 * lockable.
 */
function lockIfStale(path: string): Lock | null {
  try {
    return tryLock(path)
  } catch {
    return null
  }
}

const folderOf = (dataDir: string) => join(dataDir, 'holders')
