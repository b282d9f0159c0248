import type { Sql } from 'postgres'
import { connect } from '#db/connect'
import { withLock } from './lock'
import { type Place, superuserUrl } from './place'

/**
 * A connection that stays open while a process uses the server. It shows other processes that the server is in use, and
 * notifies this one at once when the server is lost.
 */
export interface ServerLock {
  sql: Sql
  isOver: boolean
}

const lockName = 'nocturne hold'
/** Short, so that the server is back soon after disk space was freed. A failing start costs a tenth of a second. */
const pauseMsMax = 5_000

/**
 * Opens the connection that marks the server as in use. If it is lost, `bringUp` is called until it succeeds, and the
 * connection is opened again.
 */
export function lockServer(
  place: Place,
  bringUp: () => Promise<unknown>,
  log: (message: string) => void,
): ServerLock {
  let isRestarting = false
  const restart = async () => {
    if (isRestarting || lock.isOver) return
    isRestarting = true
    log('The database has gone; starting it again.')
    await relock(lock, place, bringUp, log)
    isRestarting = false
  }
  const lock: ServerLock = {
    isOver: false,
    sql: connect(superuserUrl(place), {
      max: 1,
      max_lifetime: null,
      fetch_types: false,
      connection: { application_name: lockName },
      onclose: () => void restart(),
    }),
  }
  return lock
}

async function relock(
  lock: ServerLock,
  place: Place,
  bringUp: () => Promise<unknown>,
  log: (message: string) => void,
): Promise<void> {
  for (let pauseMs = 100; !lock.isOver; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    try {
      await withLock(place.lockFile, async () => {
        // Released while this was waiting for the file lock, so no restart is needed.
        if (lock.isOver) return
        await bringUp()
        await lock.sql`select`
      })
      return
    } catch (error) {
      log(`The database did not come back: ${error instanceof Error ? error.message : error}`)
      await Bun.sleep(pauseMs)
    }
  }
}

/**
 * Whether no other process is connected. A connection that was just closed may still be listed, so connections get a
 * second to disappear, except those that mark the server as in use.
 */
export async function isAlone({ sql }: ServerLock): Promise<boolean> {
  const deadline = Date.now() + 1000
  for (;;) {
    const others = await sql<{ application_name: string }[]>`
      select application_name from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`
    if (others.length === 0) return true
    if (others.some((other) => other.application_name === lockName) || Date.now() > deadline) return false
    await Bun.sleep(20)
  }
}
