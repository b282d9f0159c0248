import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { errorFields, type Log } from '#src/process/log'
import { notifyWorkers, onJobQueued } from './notify-workers'

const channel = 'job_queued'

/**
 * Notifies the workers of other processes of each queued job, so that they need not wait for their next poll. For a
 * process without workers of its own.
 */
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

/** Notifies the workers of this process of jobs that other processes have queued. Resolves once it is listening. */
export async function listenToOtherProcesses(db: Database): Promise<void> {
  // Polls find jobs whose notification was missed.
  await db.listen(channel, { onNotification: notifyWorkers, onListening: notifyWorkers, onFailure() {} })
}
