import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Database, isUniqueViolation } from '#db/db'
import { jobs } from '#db/schema'
import type { JobState } from '#db/tables/narration'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'
import { markGenerating } from './mark-generating'
import { isOwnedBy } from './queries'
import { runningHere, wakeWorkers } from './wake'

/**
 * Stops a job that waits or runs; what runs in another process notices within a heartbeat. Throws
 * `not_found`, and `conflict` for one that is over.
 */
export async function cancelJob(db: Database, id: string, by: string, whose: Whose = {}): Promise<void> {
  await steer(db, id, by, whose, {
    action: 'cancel',
    from: ['queued', 'running'],
    values: {
      state: 'cancelled',
      finishedAt: sql`now()`,
      leaseId: null,
      leasedUntil: null,
    },
    refusal: 'This job is over. There is nothing to cancel.',
  })
  runningHere.get(id)?.abort(new Error('The job was cancelled.'))
}

/**
 * Queues a job again that failed or was cancelled, with all its tries. Throws `not_found`, and `conflict`
 * for one that is done or under way, or whose work another job does already.
 */
export async function retryJob(db: Database, id: string, by: string, whose: Whose = {}): Promise<void> {
  try {
    await steer(db, id, by, whose, {
      action: 'retry',
      from: ['failed', 'cancelled'],
      values: {
        state: 'queued',
        attempts: 0,
        progress: 0,
        error: null,
        runAfter: sql`now()`,
        finishedAt: null,
      },
      refusal: 'Only a job that failed or was cancelled can be tried again.',
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'jobs_once')) throw error
    throw new Refusal('conflict', 'The same work is queued or running already.')
  }
  wakeWorkers()
}

/** A member steers the jobs of their own items; those of others are not found. */
export type Whose = { ownerId?: string }

type Steering = {
  action: string
  from: JobState[]
  values: PgUpdateSetSource<typeof jobs>
  refusal: string
}

async function steer(
  db: Database,
  id: string,
  by: string,
  { ownerId }: Whose,
  { action, from, values, refusal }: Steering,
) {
  await db.transaction(async (tx) => {
    const [before] = isId(id)
      ? await tx
          .select({ kind: jobs.kind, state: jobs.state, storyId: jobs.storyId })
          .from(jobs)
          .where(and(eq(jobs.id, id), ownerId === undefined ? undefined : isOwnedBy(ownerId)))
          .for('update')
      : []
    if (!before) throw new Refusal('not_found', 'There is no such job.')
    if (!from.includes(before.state)) throw new Refusal('conflict', refusal)
    await tx
      .update(jobs)
      .set(values)
      .where(and(eq(jobs.id, id), inArray(jobs.state, from)))
    if (before.storyId) await markGenerating(tx, before.storyId)
    const { kind, state } = before
    await recordChange(tx, by, { action, subjectType: 'job', subjectId: id, before: { kind, state } })
  })
}
