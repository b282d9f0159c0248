import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Executor } from '#db/db'
import { codeOf } from '#db/failures'
import { perDatabase } from '#db/per-database'
import { roomWatchSeconds } from './rules'

const pieceBytes = 1_000
/** More than PostgreSQL adds to a table at once, and some milliseconds of its time. */
const triedBytes = 1024 * 1024

/**
 * Throws PostgreSQL's own error (disk_full) where it cannot write so much more to the disk of its data, which may be
 * another one than DATA_DIR's, and on another machine. It does not say how much room it has, so it is made to write
 * rows to a temporary file: a standby may, too, and nothing is left behind.
 */
export async function tryDatabaseRoom(db: Executor, bytes = triedBytes): Promise<void> {
  try {
    await writeTemporaryFile(db, bytes)
  } catch (error) {
    // Of temp_file_limit, which some providers set: it says nothing of the disk.
    if (codeOf(error) !== '53400') throw error
  }
}

function writeTemporaryFile(db: Executor, bytes: number): Promise<void> {
  const pieces = Math.ceil(bytes / pieceBytes)
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('work_mem', '64kB', true)`)
    await tx.execute(sql`
      with pieces as materialized (select repeat('-', ${pieceBytes}::int) from generate_series(1, ${pieces}::int))
      select count(*) from pieces`)
  })
}

/** The same; where there was room, it is not tried again for some seconds: load balancers ask every second. */
export async function requireDatabaseRoom(db: Executor): Promise<void> {
  await recentRoom(db).forceFetch('tried')
}

const recentRoom = perDatabase(
  (db) =>
    new LRUCache<'tried', boolean>({
      max: 1,
      ttl: roomWatchSeconds * 1_000,
      fetchMethod: async () => {
        await tryDatabaseRoom(db)
        return true
      },
    }),
)
