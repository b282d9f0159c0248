import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { type Lock, tryLock } from '#db/embedded-lock'
import { jobs } from '#db/schema'
import { isId } from '#src/story/rules'

/**
 * The id under which this process holds jobs: the name of a file in DATA_DIR that it keeps locked until it ends,
 * however it ends. Who shares the folder can tell for certain whether it lives, also from another container,
 * where process ids say nothing; who does not waits for its leases. Null where the disk cannot lock.
 */
export function holderIn(dataDir: string): string | null {
  const own = ownHolds.get(dataDir) ?? takeHold(dataDir)
  if (own) ownHolds.set(dataDir, own)
  return own?.id ?? null
}

type Hold = { id: string; lock: Lock }
/** Never let go of: what a program leaves undone when it stops is known to be free as soon as it is gone. */
const ownHolds = new Map<string, Hold>()

function takeHold(dataDir: string): Hold | null {
  const folder = folderOf(dataDir)
  try {
    mkdirSync(folder, { recursive: true })
    const id = newId()
    const lock = tryLock(join(folder, id))
    if (lock && existsSync(join(folder, id))) return { id, lock }
    // Somebody looked before it was locked, and took it for the file of one who has gone: the next time, then.
    lock?.release()
    return null
  } catch {
    return null
  }
}

/**
 * Ends the leases of those who held jobs here and have gone (killed, say), so that their jobs are taken up at
 * once; the try counts. Whoever lives keeps theirs, even one that hangs.
 */
export async function endLeasesOfGone(db: Executor, dataDir: string): Promise<void> {
  for (const id of othersIn(dataDir)) {
    const path = join(folderOf(dataDir), id)
    const lock = lockOfGone(path)
    if (!lock) continue
    try {
      await db
        .update(jobs)
        .set({ leasedUntil: sql`now()` })
        .where(and(eq(jobs.heldBy, id), eq(jobs.state, 'running')))
    } finally {
      lock.release()
    }
    // Where the file may not be removed it stays, and says the same the next time.
    await rm(path, { force: true }).catch(() => {})
  }
}

function othersIn(dataDir: string): string[] {
  const folder = folderOf(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => isId(name) && name !== ownHolds.get(dataDir)?.id)
}

/** Null where its process lives, or may live: a file of another user can be one that we must not lock. */
function lockOfGone(path: string): Lock | null {
  try {
    return tryLock(path)
  } catch {
    return null
  }
}

const folderOf = (dataDir: string) => join(dataDir, 'holders')
