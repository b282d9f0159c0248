import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { jobs } from '#db/schema'
import type { JobState } from '#db/tables/narration'
import { AppError } from '#src/app-error'
import { recordChange } from '#src/operator/audit'
import { isId } from '#src/shape/id'
import { lockItemOf, markGenerating } from './mark-generating'
import { notifyWorkers, runningHere } from './notify-workers'
import { isOwnedBy } from './queries'

/**
 * Cancels a queued or running job; another process that runs it notices within a heartbeat. Throws `not_found`, and
 * `conflict` for a job that has ended.
 */
export async function cancelJob(db: Database, id: string, by: string, whose: Whose = {}): Promise<void> {
  await changeState(
    db,
    { id, by, ...whose },
    {
      action: 'cancel',
      from: ['queued', 'running'],
      values: {
        state: 'cancelled',
        finishedAt: sql`now()`,
        leaseId: null,
        leasedUntil: null,
      },
      refusal: 'This job is over. There is nothing to cancel.',
    },
  )
  runningHere.get(id)?.abort(new Error('The job was cancelled.'))
}

/**
 * Queues a failed or cancelled job again, with all its attempts. Throws `not_found`, and `conflict` for a job that is
 * done, queued or running, or whose work another job is doing.
 */
export async function retryJob(db: Database, id: string, by: string, whose: Whose = {}): Promise<void> {
  try {
    await changeState(
      db,
      { id, by, ...whose },
      {
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
      },
    )
  } catch (error) {
    if (!isUniqueViolation(error, 'jobs_once')) throw error
    throw new AppError('conflict', 'The same work is queued or running already.')
  }
  notifyWorkers()
}

/** Limits a call to jobs of the items of one member; other jobs are not found. */
export type Whose = { ownerId?: string }

type StateChange = {
  action: 'cancel' | 'retry'
  from: JobState[]
  values: PgUpdateSetSource<typeof jobs>
  refusal: string
}

async function changeState(
  db: Database,
  { id, by, ownerId }: { id: string; by: string } & Whose,
  { action, from, values, refusal }: StateChange,
) {
  await db.transaction(async (tx) => {
    const found = tx
      .select({ kind: jobs.kind, state: jobs.state, storyId: jobs.storyId })
      .from(jobs)
      .where(and(eq(jobs.id, id), ownerId === undefined ? undefined : isOwnedBy(ownerId)))
    const [known] = isId(id) ? await found : []
    await lockItemOf(tx, known?.storyId ?? null)
    const [before] = known ? await found.for('update') : []
    if (!before) throw new AppError('not_found', 'There is no such job.')
    if (!from.includes(before.state)) throw new AppError('conflict', refusal)
    await tx
      .update(jobs)
      .set(values)
      .where(and(eq(jobs.id, id), inArray(jobs.state, from)))
    if (before.storyId) await markGenerating(tx, before.storyId)
    const { kind, state } = before
    await recordChange(tx, by, { action, subjectType: 'job', subjectId: id, before: { kind, state } })
  })
}
