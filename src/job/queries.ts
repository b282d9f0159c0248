import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { jobs, stories } from '#db/schema'
import type { JobState } from '#db/tables/narration'
import { keptDays } from './rules'

export type JobFilter = { state?: JobState; kind?: string; storyId?: string; limit?: number; before?: string }

/** Jobs with the title of their item, the newest first; `before` is the id of the last one of the page before. */
export function listJobs(db: Executor, { state, kind, storyId, limit = 50, before }: JobFilter = {}) {
  return db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      state: jobs.state,
      storyId: jobs.storyId,
      title: stories.title,
      payload: jobs.payload,
      progress: jobs.progress,
      attempts: jobs.attempts,
      attemptsMax: jobs.attemptsMax,
      error: jobs.error,
      result: jobs.result,
      runAfter: jobs.runAfter,
      createdAt: jobs.createdAt,
      startedAt: jobs.startedAt,
      finishedAt: jobs.finishedAt,
    })
    .from(jobs)
    .leftJoin(stories, eq(stories.id, jobs.storyId))
    .where(
      and(
        state && eq(jobs.state, state),
        kind ? eq(jobs.kind, kind) : undefined,
        storyId ? eq(jobs.storyId, storyId) : undefined,
        before ? lt(jobs.id, before) : undefined,
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(Math.min(limit, 500))
}
export type JobRow = Awaited<ReturnType<typeof listJobs>>[number]

/** Removes what has been over for a month. */
export async function pruneJobs(db: Executor): Promise<void> {
  await db
    .delete(jobs)
    .where(
      sql`${jobs.state} in ('done', 'failed', 'cancelled') and ${jobs.finishedAt} < now() - make_interval(days => ${keptDays})`,
    )
}
