import type { Sql } from 'postgres'
import { connect } from './db'
import { withLock } from './embedded-lock'
import { type Place, superuserUrl } from './embedded-place'

/**
 * One open connection for as long as a process uses the server. It tells the other processes that
 * somebody does, and it tells us at once when the server is gone.
 */
export interface Hold {
  sql: Sql
  isOver: boolean
}

const holdName = 'nocturne hold'
const pauseMsMax = 30_000

/** Takes hold of the server. When it is lost, `bringUp` is called until it works, and the hold is taken again. */
export function takeHold(
  place: Place,
  bringUp: () => Promise<unknown>,
  log: (message: string) => void,
): Hold {
  let isMending = false
  const mend = async () => {
    if (isMending || hold.isOver) return
    isMending = true
    log('The database has gone; starting it again.')
    await holdAgain(hold, place, bringUp, log)
    isMending = false
  }
  const hold: Hold = {
    isOver: false,
    sql: connect(superuserUrl(place), {
      max: 1,
      max_lifetime: null,
      fetch_types: false,
      connection: { application_name: holdName },
      onclose: () => void mend(),
    }),
  }
  return hold
}

async function holdAgain(
  hold: Hold,
  place: Place,
  bringUp: () => Promise<unknown>,
  log: (message: string) => void,
): Promise<void> {
  for (let pauseMs = 100; !hold.isOver; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    try {
      await withLock(place.lockFile, async () => {
        // Let go of while we waited for the lock: nobody wants it back.
        if (hold.isOver) return
        await bringUp()
        await hold.sql`select`
      })
      return
    } catch (error) {
      log(`The database did not come back: ${error instanceof Error ? error.message : error}`)
      await Bun.sleep(pauseMs)
    }
  }
}

/**
 * Whether nobody but us is connected. A connection closed a moment ago may still be listed, so all but
 * the holds of other processes get a second to go.
 */
export async function isAlone({ sql }: Hold): Promise<boolean> {
  const deadline = Date.now() + 1000
  for (;;) {
    const others = await sql<{ application_name: string }[]>`
      select application_name from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`
    if (others.length === 0) return true
    if (others.some((other) => other.application_name === holdName) || Date.now() > deadline) return false
    await Bun.sleep(20)
  }
}
