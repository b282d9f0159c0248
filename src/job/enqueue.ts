import { and, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { jobs } from '#db/schema'
import { markGenerating } from './mark-generating'
import { wakeWorkers } from './wake'

export type NewJob = {
  kind: string
  /** The hash of what is to be made: asked for twice while it waits or runs, it is made once. */
  dedupeKey: string
  storyId?: string
  payload: unknown
  /** Lower goes first; 100. */
  priority?: number
  /** How often it is tried; 3. */
  attemptsMax?: number
}

/**
 * Queues a job and answers its id, or that of the one that waits or runs for the same thing. In a
 * transaction it begins to exist with the commit.
 */
export async function enqueue(db: Executor, job: NewJob): Promise<string> {
  for (;;) {
    const [made] = await db
      .insert(jobs)
      .values({ id: newId(), ...job, payload: sql`${JSON.stringify(job.payload)}::jsonb` })
      .onConflictDoNothing()
      .returning({ id: jobs.id })
    if (made) {
      if (job.storyId) await markGenerating(db, job.storyId)
      wakeWorkers()
      return made.id
    }
    const [same] = await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          eq(jobs.kind, job.kind),
          eq(jobs.dedupeKey, job.dedupeKey),
          inArray(jobs.state, ['queued', 'running']),
        ),
      )
    // It may have ended between the two statements: then this one is queued after all.
    if (same) return same.id
  }
}
