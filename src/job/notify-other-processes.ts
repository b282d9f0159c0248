import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { errorFields, type Log } from '#src/process/log'
import { notifyWorkers, onJobQueued } from './notify-workers'

const channel = 'job_queued'

/** For a process without workers: those of others look at once, and not with their next poll. */
export function notifyOtherProcesses({ db, log }: { db: Database; log: Log }): { stop(): Promise<void> } {
  const forget = onJobQueued(() => {
    db.execute(sql`select pg_notify(${channel}, '')`).catch((error) =>
      log.warn('workers of other processes look later', errorFields(error)),
    )
  })
  return {
    async stop() {
      forget()
    },
  }
}

/** For a process with workers: they look when another process has queued a job. Resolves once it listens. */
export async function listenToOtherProcesses(db: Database): Promise<void> {
  // Polls find what is not heard.
  await db.listen(channel, { onNotification: notifyWorkers, onListening: notifyWorkers, onFailure() {} })
}
