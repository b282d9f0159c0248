import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Executor } from '#db/db'
import { codeOf } from '#db/failures'
import { perDatabase } from '#db/per-database'
import { roomWatchSeconds } from './rules'

const pieceBytes = 1_000
/** Bytes written by a test: more than PostgreSQL adds to a table at once; takes some milliseconds of its time. */
const triedBytes = 1024 * 1024

/**
 * Throws PostgreSQL's own error (disk_full) if it cannot write so many bytes to its data disk, which may differ from
 * that of DATA_DIR and be on another machine. PostgreSQL does not report its free space, so it has to write rows to a
 * temporary file. A standby can do that too, and nothing is left behind.
 */
export async function tryDatabaseRoom(db: Executor, bytes = triedBytes): Promise<void> {
  try {
    await writeTemporaryFile(db, bytes)
  } catch (error) {
    // This error is about temp_file_limit, which some providers set, and not about the disk.
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

/** Like `tryDatabaseRoom`, but a success is cached for some seconds, since load balancers ask every second. */
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
