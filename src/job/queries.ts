import { and, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { jobs, stories } from '#db/schema'
import type { JobState } from '#db/tables/narration'
import { isId } from '#src/shape/id'
import { readIdCursor } from '#src/shape/list-page'
import { operatorTitle } from '#src/story/operator-sight'
import { isPaused } from './paused'
import { type JobKind, retentionDays } from './rules'

export type JobFilter = {
  state?: JobState
  kind?: JobKind
  storyId?: string
  /** Only jobs of this member's items. */
  ownerId?: string
  limit?: number
  /** The id of the last job on the previous page. */
  before?: string
  where?: SQL
}

/** Lists jobs with the titles of their items, the newest first. Throws `invalid` if `before` is not an id. */
export function listJobs(db: Executor, filter: JobFilter = {}) {
  const { limit = 50, before } = filter
  return db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      state: jobs.state,
      /** The worker's last heartbeat is older than a lease, or its process has ended. */
      isAbandoned: sql<boolean>`(jobs.state = 'running' and coalesce(jobs.leased_until < now(), false))`,
      isPaused: sql<boolean>`(jobs.state = 'queued' and ${isPaused()})`,
      storyId: jobs.storyId,
      title: filter.ownerId === undefined ? operatorTitle() : sql<string>`${stories.title}`,
      payload: jobs.payload,
      progress: jobs.progress,
      priority: jobs.priority,
      attempts: jobs.attempts,
      attemptsMax: jobs.attemptsMax,
      error: jobs.error,
      result: jobs.result,
      requestId: jobs.requestId,
      runAfter: jobs.runAfter,
      createdAt: jobs.createdAt,
      startedAt: jobs.startedAt,
      finishedAt: jobs.finishedAt,
    })
    .from(jobs)
    .leftJoin(stories, eq(stories.id, jobs.storyId))
    .where(
      and(
        matching(filter),
        filter.where,
        before === undefined ? undefined : lt(jobs.id, readIdCursor(before)),
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(limit)
}

/** Limit of each group in `listRecentJobs`: several pages, and few enough to be read twice a second. */
const recentMax = 200

/**
 * Lists the jobs that are running, queued or ended in the last minute, the newest first. An import queues thousands of
 * jobs at once, so each group has its own limit. A group begins with the jobs that entered it last or leave it next, so
 * a changed job is listed whatever its age.
 */
export function listRecentJobs(db: Executor) {
  const groups = [
    sql`select id from jobs where state = 'running' order by run_after desc, id desc limit ${recentMax}`,
    sql`select id from jobs where state = 'queued' and run_after <= now() order by run_after desc, id desc limit ${recentMax}`,
    sql`select id from jobs where state = 'queued' and run_after > now() order by run_after, id limit ${recentMax}`,
    sql`select id from jobs where finished_at > now() - interval '1 minute' order by finished_at desc limit ${recentMax}`,
  ]
  const ids = sql.join(
    groups.map((group) => sql`(${group})`),
    sql` union all `,
  )
  return listJobs(db, { where: sql`${jobs.id} in (${ids})`, limit: groups.length * recentMax })
}

/** Jobs by their ids, in no order. */
export function listJobsById(db: Executor, ids: readonly string[]): Promise<JobRow[]> {
  return listJobs(db, { limit: ids.length, where: inArray(jobs.id, [...ids]) })
}

/** Counts the jobs of a kind, state or item. */
export async function countJobs(db: Executor, filter: JobFilter): Promise<number> {
  const [row] = await db.select({ jobs: count() }).from(jobs).where(matching(filter))
  return row?.jobs ?? 0
}

function matching({ state, kind, storyId, ownerId }: JobFilter): SQL | undefined {
  return and(
    state && eq(jobs.state, state),
    kind ? eq(jobs.kind, kind) : undefined,
    storyId === undefined ? undefined : isId(storyId) ? eq(jobs.storyId, storyId) : sql`false`,
    ownerId === undefined ? undefined : isOwnedBy(ownerId),
  )
}

/** Condition of jobs that belong to a member's items. */
export function isOwnedBy(ownerId: string): SQL {
  return sql`exists (select 1 from stories as owned where owned.id = jobs.story_id and owned.user_id = ${ownerId})`
}

export type JobRow = Awaited<ReturnType<typeof listJobs>>[number]

/** Condition of scans with the built-in guidelines. They record which version of these rules has read the library. */
const isOfVersion = sql`(${jobs.kind} = 'guideline_scan' and ${jobs.payload}->>'ruleId' is null)`

/**
 * Removes jobs that ended a month ago, except the scans of the built-in guidelines, of which there is one for each
 * version.
 */
export async function pruneJobs(db: Executor): Promise<void> {
  await db
    .delete(jobs)
    .where(
      sql`not ${isOfVersion} and ${jobs.state} in ('done', 'failed', 'cancelled') and ${jobs.finishedAt} < now() - make_interval(days => ${retentionDays})`,
    )
}
