import { and, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { jobs } from '#db/schema'
import { currentTrace } from '#src/process/trace'
import { markQueued } from './mark-generating'
import { notifyWorkers } from './notify-workers'
import { priorities } from './rules'

export type NewJob = {
  kind: string
  /** Hash that identifies the work: while a job with this key is queued or running, no second one is queued. */
  dedupeKey: string
  storyId?: string
  payload: unknown
  /** Lower runs first (`priorities`); by default `usual`. */
  priority?: number
  /** The maximum number of attempts; by default 3. */
  attemptsMax?: number
}

/**
 * Queues a job and returns its id. If a job with the same key is queued or running, returns that one's id and raises
 * its priority to this one's. Within a transaction, the job exists once it commits.
 */
export async function enqueue(db: Executor, job: NewJob): Promise<string> {
  const trace = currentTrace()
  const from = trace && { requestId: trace.requestId, traceparent: trace.traceparent }
  for (;;) {
    const made = db.$with('made').as(
      db
        .insert(jobs)
        .values({ id: newId(), ...job, ...from, payload: sql`${JSON.stringify(job.payload)}::jsonb` })
        .onConflictDoNothing()
        .returning({ id: jobs.id, storyId: jobs.storyId }),
    )
    const marked = db.$with('marked', {}).as(markQueued)
    const [queued] = await db.with(made, marked).select({ id: made.id }).from(made)
    if (queued) {
      notifyWorkers()
      return queued.id
    }
    const [same] = await db
      .select({ id: jobs.id, priority: jobs.priority })
      .from(jobs)
      .where(
        and(
          eq(jobs.kind, job.kind),
          eq(jobs.dedupeKey, job.dedupeKey),
          inArray(jobs.state, ['queued', 'running']),
        ),
      )
    // The other job may have ended between the two statements, so this one is inserted after all.
    if (!same) continue
    const { priority = priorities.usual } = job
    if (same.priority > priority) {
      await db.update(jobs).set({ priority }).where(eq(jobs.id, same.id))
      notifyWorkers()
    }
    return same.id
  }
}
